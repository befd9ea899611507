import type { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { ApiScope } from "../domain/api-token.ts";
import type { Feedback } from "../domain/feedback/feedback.ts";
import type { Project } from "../domain/project.ts";
import type { ApiCaller } from "./api-caller.ts";
import type { Named } from "./find-named.server.ts";

/** One method of one path of the web API: what it needs, takes, answers and does. Paths are those after `/api/0`. */
export interface Endpoint<Asked = AnyCall> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** With names in braces: `/organizations/{organization}/releases/`. Ends in a slash. */
  path: string;
  /** One of them is enough. An empty list denies everybody. */
  scopes: readonly ApiScope[] | "any-token" | "public";
  summary: string;
  /** Parameters that are not listed here are ignored: Sentry's clients send many. A list means a repeatable parameter. */
  query?: z.ZodObject;
  body?: EndpointBody;
  /** The answer of each status. Refusals are the same everywhere, and not listed. */
  answers: Record<number, EndpointAnswer>;
  handle(call: Asked): Promise<Response> | Response;
  /** Where `{issue}` names feedback, which is listed in the form of issues. Without it, that is answered 404. */
  ofFeedback?(call: FeedbackCall): Promise<Response> | Response;
}

export interface EndpointBody {
  /** Read, bounded and checked before the endpoint is called. */
  json?: z.ZodType;
  /** The same as an HTML form, for `curl --data`. */
  form?: z.ZodObject;
  /** Parts of a multipart body: the endpoint reads it as it comes. */
  multipart?: Record<string, string>;
  /** The limit of a JSON body or a form: 1 MB unless set. */
  maxBytes?: number;
}

export interface EndpointAnswer {
  what: string;
  /** Null: the answer has no body. */
  json: z.ZodType | null;
  /** True when the answer may be bytes instead. */
  isFile?: boolean;
}

/** The context of every call, made in one place: `handle-request.server.ts`. */
export interface CallContext {
  workspace: Workspace;
  caller: ApiCaller;
  request: Request;
  url: URL;
  /** Address of this server for links in answers: `https://host[:port]`. */
  baseUrl: string;
  /** The version of this server. */
  version: string;
  /** Milliseconds since 1970. */
  now: number;
  /**
   * Who calls, and with which rights, once the body has come: a sender may take minutes for it. It is called before an endpoint gets its
   * body. One that reads the body itself calls it before it saves. @throws a 401 or 403 answer.
   */
  enterAgain(): Promise<{ workspace: Workspace; caller: ApiCaller }>;
}

/** The call of an endpoint that is not known yet. */
export type AnyCall = CallContext & { [Name in keyof Named]: Named[Name] | null } & {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
};

export interface FeedbackCall<Query = unknown, Body = unknown> extends CallContext {
  feedback: Feedback;
  /** The one that it came to. */
  project: Project;
  params: Record<string, string>;
  query: Query;
  body: Body;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** An issue brings its project. */
type NamedIn<Path extends string> = Path extends string
  ? {
      [Name in keyof Named]: [NamesIn<Path> & (Name extends "project" ? "project" | "issue" : Name)] extends [never]
        ? null
        : Named[Name];
    }
  : never;

export type Call<Path extends string, Query = unknown, Body = unknown> = CallContext &
  NamedIn<Path> & { params: Record<NamesIn<Path>, string>; query: Query; body: Body };

interface Definition<Path extends string, Query extends z.ZodObject, Json extends z.ZodType, Form extends z.ZodObject>
  extends Endpoint<Call<Path, z.output<Query>, z.output<Json> | z.output<Form>>> {
  path: Path;
  query?: Query;
  body?: EndpointBody & { json?: Json; form?: Form };
  ofFeedback?(call: FeedbackCall<z.output<Query>, z.output<Json> | z.output<Form>>): Promise<Response> | Response;
}

/** Ties the types of a call to the endpoint's path and schemas. */
export function endpoint<
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Json extends z.ZodType = z.ZodNever,
  Form extends z.ZodObject = never,
>(definition: Definition<Path, Query, Json, Form>): Endpoint {
  return definition as Endpoint;
}
