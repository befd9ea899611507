import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import { narrowScope, type Scope } from "../domain/scope.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import { refusal } from "./answers.ts";
import { requireProject } from "./find-named.server.ts";

const MAX_PERIOD = 999_999;
const UNIT_MS = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS, w: 604_800_000 } as const;
/** The largest page, as in Sentry. A request for more is answered 400. */
const MAX_PAGE_SIZE = 100;
/** The largest page of log lines: `sentry-cli logs list --max-rows` asks for so many at once. */
export const MAX_LINES_PAGE_SIZE = 1_000;

/** A cursor that a client made by counting pages: value, offset, and whether it leads back. */
const COUNTED_CURSOR = /^[^:]*:\d+:[01]$/;
const FIRST_PAGE = /^0?:0:[01]$/;

const cursor = z
  .string()
  .refine((text) => !COUNTED_CURSOR.test(text) || FIRST_PAGE.test(text), {
    // If it were answered with the first page again and again, the client's loop would never end.
    error: "was not made by this server; take it from the Link header of the previous page",
  })
  // sentry-cli asks for the first page with an empty cursor.
  .transform((text) => (text === "" || FIRST_PAGE.test(text) ? null : text))
  .optional()
  .describe("From the `Link` header");

function toPaging(max: number | null) {
  const error = max === null ? "must be a whole number from 1" : sayPageSize(max);
  const size = z.coerce.number({ error }).int({ error }).min(1, error);
  const pageSize = (max === null ? size : size.max(max, error)).optional();
  return { per_page: pageSize, limit: pageSize, cursor };
}

function sayPageSize(max: number): string {
  return `must be a whole number from 1 to ${max}`;
}

/** Parameters of every list. `limit` is another word for `per_page`. */
export const PAGING = toPaging(MAX_PAGE_SIZE);
/**
 * The same parameters for lists that may be of log lines. They have no upper limit: the endpoint passes it to `toPlace` when it knows what
 * the list is of.
 */
export const LINES_PAGING = toPaging(null);

/** @throws a 400 answer if more than `max` is asked for. The schema `LINES_PAGING` does not check this. */
export function toPlace(
  query: z.output<z.ZodObject<typeof PAGING>>,
  { fallback = MAX_PAGE_SIZE, max = MAX_PAGE_SIZE }: { fallback?: number; max?: number } = {},
): { cursor: string | null; limit: number } {
  const { per_page: perPage, limit = fallback, cursor = null } = query;
  const size = perPage ?? limit;
  if (size > max) throw refusal(400, `${perPage === undefined ? "limit" : "per_page"}: ${sayPageSize(max)}`);
  return { cursor, limit: size };
}

/** @throws a 400 answer if `read` returns null for the cursor. If the first page were sent instead, a client would never stop. */
export function requireCursor(cursor: string | null, read: (cursor: string) => unknown): void {
  if (cursor !== null && read(cursor) === null) throw refusal(400, "cursor: must be one that an answer gave");
}

/** The `Link` header of a list repeats its address twice, and clients read at most 16 KB of headers. */
const MAX_LIST_ADDRESS = 7_000;

/** @throws a 400 answer if the address of a list is too long for its `Link` header. */
export function requireShortAddress({ href }: URL): void {
  if (href.length <= MAX_LIST_ADDRESS) return;
  throw refusal(
    400,
    `the address has ${href.length} characters, and that of a list may have ${MAX_LIST_ADDRESS}: shorten the query`,
  );
}

/** Groups come all in one answer, so no answer gives a cursor. @throws a 400 answer if there is one. */
export function refuseCursor(query: { cursor?: string | null | undefined }): void {
  requireCursor(query.cursor ?? null, () => null);
}

/** A repeatable parameter. */
export const list = z.array(z.string()).default([]);

export const ENVIRONMENTS = { environment: list.describe("Repeatable") };
export const PROJECTS = {
  project: list.describe("Number or slug, repeatable; -1 for all"),
  projectSlug: list.describe("Another word for `project`; $all for all"),
};

/** An empty object: the query names no environment. */
export function toEnvironments(query: { environment: string[] }): { environments?: string[] } {
  return query.environment.length > 0 ? { environments: query.environment } : {};
}

/** The scope of the projects that the query names. If it names none, the whole scope of the caller. @throws a 404 answer. */
export async function toProjectScope(
  workspace: Workspace,
  { project, projectSlug = [] }: { project: string[]; projectSlug?: string[] },
): Promise<Scope> {
  const wanted = [...project, ...projectSlug].filter((text) => text !== "-1" && text !== "$all");
  if (wanted.length === 0) return workspace.scope;
  const projects = await Promise.all(wanted.map((text) => requireProject(workspace, text)));
  return narrowScope(
    workspace.scope,
    projects.map(({ id }) => id),
  );
}

/** A duration like `24h`, `14d`, `30m` or `2w`, in milliseconds. A number without a unit is seconds. */
export const period = z
  .string()
  .regex(/^\d+[smhdw]?$/, { error: "must be like 24h or 14d", abort: true })
  .regex(/^0*\d{1,6}[smhdw]?$/, { error: `must be at most ${MAX_PERIOD} of a unit, like 24h or 14d`, abort: true })
  .transform((text) => Number.parseInt(text, 10) * UNIT_MS[(/[smhdw]$/.exec(text)?.[0] ?? "s") as keyof typeof UNIT_MS])
  .refine((periodMs) => periodMs > 0, "must be longer than nothing");

/** Milliseconds since 1970. Times without a zone are UTC. */
const instant = z.string().transform((text, context) => {
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text);
  const at = Date.parse(hasZone ? text : `${text}${text.includes("T") ? "" : "T00:00:00"}Z`);
  if (Number.isNaN(at)) context.addIssue("must be a date and time of RFC 3339");
  return at;
});

export const TIME_RANGE = {
  statsPeriod: period.optional().describe("Like `24h` or `14d`; or `start` and `end`"),
  start: instant.optional().describe("RFC 3339"),
  end: instant.optional().describe("RFC 3339"),
};

type TimeRangeQuery = z.output<z.ZodObject<typeof TIME_RANGE>>;

/** @throws a 400 answer if the range ends before it starts. */
export function toTimeRange(
  { statsPeriod, start, end }: TimeRangeQuery,
  { now, fallbackMs }: { now: number; fallbackMs: number },
): { from: number; to: number } {
  if (statsPeriod !== undefined) return { from: now - statsPeriod, to: now };
  const to = end ?? now;
  const from = start ?? to - fallbackMs;
  if (from >= to) throw refusal(400, "start: must be before end");
  return { from, to };
}

/** Both are null if the query gives no range. @throws as `toTimeRange`. */
export function toTimeFilter(
  query: TimeRangeQuery,
  options: { now: number; fallbackMs: number },
): { from: number; to: number } | { from: null; to: null } {
  const isAsked = query.statsPeriod !== undefined || query.start !== undefined || query.end !== undefined;
  return isAsked ? toTimeRange(query, options) : { from: null, to: null };
}
