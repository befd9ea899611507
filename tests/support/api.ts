import { expect } from "vitest";
import { openAnswerChecker } from "./api-document.ts";
import type { TestServer } from "./start-server.ts";

/** What the web API answers, as the tests look at it. */
export interface ApiIssue {
  id: string;
  shortId: string;
  title: string;
  culprit: string;
  count: string;
  userCount: number;
  status: string;
  substatus: string | null;
  statusDetails: Record<string, unknown>;
  level: string;
  platform: string;
  isUnhandled: boolean;
  /** Of one issue alone. */
  isSettled?: boolean;
  metadata: { type?: string; value?: string; title?: string };
  project: { id: string; slug: string };
}

/** A frame of a stack in the `entries` of an event. */
export interface ApiFrame {
  function: string | null;
  filename: string | null;
  lineNo: number | null;
  colNo: number | null;
  inApp: boolean;
  context: Array<[line: number, text: string]>;
  vars: Record<string, unknown> | null;
}

export interface ApiEvent {
  eventID: string;
  groupID: string;
  title: string;
  message: string;
  platform: string;
  release: { version: string } | null;
  environment: string | null;
  user: { id: string | null; email: string | null } | null;
  tags: Array<{ key: string; value: string }>;
  entries: Array<{ type: string; data: never }>;
  contexts: Record<string, Record<string, unknown>>;
  sdk: { name: string; version: string } | null;
  errors: Array<{ type: string }>;
  grouping: { basis: string; hash: string } | null;
}

export interface StatsGroup {
  by: Record<string, string | number>;
  totals: { "sum(quantity)": number };
  series: { "sum(quantity)": number[] };
}

type Server = Pick<TestServer, "url" | "token">;

/** GET with the owner's token. @throws when the answer is not 2xx. */
export async function getJson<T>(server: Server, path: string): Promise<T> {
  const response = await fetch(`${server.url}/api/0${path}`, { headers: { authorization: `Bearer ${server.token}` } });
  await expectAsDocumented(server, "GET", path, response);
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

export async function send(
  server: Server,
  method: "PUT" | "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await fetch(`${server.url}/api/0${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await expectAsDocumented(server, method, path, response);
  return response;
}

/** Every answer that the tests get is held against the server's OpenAPI document. */
export async function expectAsDocumented(
  server: { url: string },
  method: string,
  path: string,
  response: Response,
): Promise<void> {
  const { findContradiction } = await openAnswerChecker(server.url);
  const contradiction = findContradiction({
    method,
    path: path.split("?", 1)[0] ?? path,
    status: response.status,
    contentType: response.headers.get("content-type"),
    body: await response.clone().text(),
  });
  // Thrown, not asserted: Playwright's tests use this too.
  if (contradiction) throw new Error(contradiction);
}

export function listIssues(server: Server, query = "", project = "shop"): Promise<ApiIssue[]> {
  return getJson(server, `/projects/default/${project}/issues/?${new URLSearchParams({ query })}`);
}

/** Of the server's first project, as its DSN says it. */
export function projectIdOf(server: { dsn: string | null }): string {
  return new URL(server.dsn ?? "").pathname.slice(1);
}

/** Sum of the ledger for some outcome (and category), over the last day; of all projects, unless one is named by its id. */
export async function sumOutcomes(
  server: Server,
  filter: { outcome?: string; category?: string; reason?: string; project?: string },
): Promise<number> {
  const query = new URLSearchParams({ field: "sum(quantity)", statsPeriod: "1d", interval: "1h", ...filter });
  const stats = await getJson<{ groups: StatsGroup[] }>(server, `/organizations/default/stats_v2/?${query}`);
  return stats.groups.reduce((sum, group) => sum + group.totals["sum(quantity)"], 0);
}

/** Waits until the function gives something that is true; what appears is waited for, never time. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false | null>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let failure: unknown;
  do {
    try {
      const found = await look();
      if (found) return found;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await new Promise((wake) => setTimeout(wake, 50));
  } while (Date.now() < deadline);
  throw new Error(`gave up waiting for ${what}`, { cause: failure });
}

export async function waitForIssues(server: Server, count: number, project = "shop"): Promise<ApiIssue[]> {
  const issues = await waitFor(`${count} issues`, async () => {
    const found = await listIssues(server, "", project);
    return found.length >= count && found;
  });
  expect(issues).toHaveLength(count);
  return issues;
}

/** The event by id, as soon as it is stored. */
export function waitForEvent(server: Server, eventId: string, project = "shop"): Promise<ApiEvent> {
  return waitFor(`event ${eventId}`, () =>
    getJson<ApiEvent>(server, `/projects/default/${project}/events/${eventId}/`),
  );
}

/** The newest event of an issue: whoever sees the issue in a list can open it. */
export function getLatestEvent<More extends object>(
  server: Server,
  issue: { id: string } | undefined,
): Promise<ApiEvent & More> {
  return getJson(server, `/issues/${issue?.id}/events/latest/`);
}

/** Sends an envelope as an SDK does. */
export async function sendEnvelope(
  server: { url: string; dsn: string | null },
  envelope: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  const dsn = new URL(server.dsn ?? "");
  return fetch(`${server.url}/api${dsn.pathname}/envelope/`, {
    method: "POST",
    headers: {
      "x-sentry-auth": `Sentry sentry_version=7, sentry_client=test/1.0, sentry_key=${dsn.username}`,
      ...headers,
    },
    body: envelope as BodyInit,
  });
}

/** An envelope with one event; gives its id too. */
export function toEventEnvelope(
  event: Record<string, unknown>,
  eventId = crypto.randomUUID().replaceAll("-", ""),
): { eventId: string; envelope: string } {
  const payload = { timestamp: Date.now() / 1000, platform: "node", level: "error", ...event, event_id: eventId };
  return {
    eventId,
    envelope: `${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(payload)}\n`,
  };
}
