import type { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { ApiScope } from "../domain/api-token.ts";
import type { Feedback } from "../domain/feedback/feedback.ts";
import type { Project } from "../domain/project.ts";
import type { ApiCaller } from "./api-caller.ts";
import type { Named } from "./find-named.server.ts";

/**
 * One method of one path of the web API: the scopes that it needs, its input, its answers, and the function that handles it. Paths are
 * those after `/api/0`.
 */
export interface Endpoint<Asked = AnyCall> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Names in braces stand for things: `/organizations/{organization}/releases/`. Ends in a slash. */
  path: string;
  /** The caller must have one of these scopes. An empty list denies everybody. */
  scopes: readonly ApiScope[] | "any-token" | "public";
  summary: string;
  /** Parameters that are not listed here are ignored: Sentry's clients send many. A list means a repeatable parameter. */
  query?: z.ZodObject;
  body?: EndpointBody;
  /** The answer for each status. Refusals are the same for all endpoints, and not listed. */
  answers: Record<number, EndpointAnswer>;
  handle(call: Asked): Promise<Response> | Response;
  /** Handles calls whose `{issue}` is feedback, which lists also show in the form of issues. Absent: such a call is answered 404. */
  ofFeedback?(call: FeedbackCall): Promise<Response> | Response;
}

export interface EndpointBody {
  /** The schema of a JSON body. The body is read, bounded and checked before the endpoint is called. */
  json?: z.ZodType;
  /** The schema of the same body as an HTML form, for `curl --data`. */
  form?: z.ZodObject;
  /** The parts of a multipart body, with a description of each. The endpoint reads the body itself, as it comes. */
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

/** What every endpoint gets with a call. `handle-request.server.ts` makes it. */
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
   * Authorizes the caller again after the body has come, because a sender may take minutes for it. It is called before an endpoint gets its
   * body. An endpoint that reads the body itself calls it before it saves.
   * @throws a 401 or 403 answer.
   */
  enterAgain(): Promise<{ workspace: Workspace; caller: ApiCaller }>;
}

/** A call of any endpoint: what the path does not name is null. */
export type AnyCall = CallContext & { [Name in keyof Named]: Named[Name] | null } & {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
};

export interface FeedbackCall<Query = unknown, Body = unknown> extends CallContext {
  feedback: Feedback;
  /** The project of the feedback. */
  project: Project;
  params: Record<string, string>;
  query: Query;
  body: Body;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The things that a path names. An issue also brings its project. */
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
