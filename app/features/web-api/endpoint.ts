import type { z } from "zod";
import type { ApiScope } from "../../domain/api-token.ts";

/** One method of one path of the web API: what it needs, takes and answers. Paths are those after `/api/0`. */
export interface Endpoint {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** With names in braces: `/organizations/{organization}/releases/`. Ends in a slash. */
  path: string;
  /** Any one of them will do; none: whoever has a token at all. `public`: no token is asked for. */
  scopes: readonly ApiScope[] | "public";
  summary: string;
  /** Names of query parameters, and what they are. */
  query?: Record<string, string>;
  body?: EndpointBody;
  /** By status: what the body of the answer is; null: it is empty. Refusals are the same everywhere, and not listed. */
  answers: Record<number, EndpointAnswer>;
}

export type EndpointBody = { json: z.ZodType } | { multipart: Record<string, string> };

export interface EndpointAnswer {
  what: string;
  json: z.ZodType | null;
  /** Whether it may be bytes instead. */
  isFile?: boolean;
}
