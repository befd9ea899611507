import type { DataCategory } from "../domain/data-category.ts";
import { parseProjectId } from "../protocol/dsn.ts";
import type { OtlpSignal } from "../protocol/otlp/messages.ts";
import { decodePercent } from "../protocol/query-string.ts";
import type { CronPath } from "./accept-cron.ts";

export interface IngestRoute {
  kind:
    | "envelope"
    | "store"
    | "security"
    | "minidump"
    | "report"
    | "otlp"
    | "cron"
    | "dialog"
    | "unsupported"
    | "unknown"
    | "bad-project";
  /** Null on `/api/store/`, `/api/embed/…` and `/v1/…`, where the key decides, and where the path names no possible project. */
  projectId: number | null;
  /** The endpoint as people know it, like `envelope`. */
  endpoint: string;
  /** A key in the path (cron, unreal). */
  pathKey: string | null;
  /** The query without the `?`. */
  query: string;
  /** The category under which a request counts if it is refused before it is read. */
  category: DataCategory;
  /** The signal of an OTLP request. */
  otlp?: OtlpSignal;
  /** The monitor of a check-in. */
  cron?: CronPath;
}

const SUPPORTED: ReadonlyMap<string, { kind: IngestRoute["kind"]; category: DataCategory }> = new Map([
  ["envelope", { kind: "envelope", category: "default" }],
  ["store", { kind: "store", category: "error" }],
  ["security", { kind: "security", category: "security" }],
  ["csp-report", { kind: "security", category: "security" }],
  ["nel", { kind: "security", category: "security" }],
  ["minidump", { kind: "minidump", category: "error" }],
  // A report that a user wrote about an event counts in the category of the item that it becomes.
  ["user-feedback", { kind: "report", category: "default" }],
]);

const OTLP: ReadonlyMap<string, { otlp: OtlpSignal; category: DataCategory }> = new Map([
  ["traces", { otlp: "traces", category: "span" }],
  ["logs", { otlp: "logs", category: "log_item" }],
  ["metrics", { otlp: "metrics", category: "trace_metric" }],
]);

/** Endpoints of the protocol that this version does not have, by the segments after the project. */
const UNSUPPORTED: ReadonlyArray<{ prefix: string[]; endpoint: string; category: DataCategory; keySegment?: number }> =
  [
    { prefix: ["unreal"], endpoint: "unreal", category: "error", keySegment: 1 },
    { prefix: ["playstation"], endpoint: "playstation", category: "error" },
    { prefix: ["otlp"], endpoint: "otlp", category: "span" },
    { prefix: ["integration", "otlp"], endpoint: "otlp", category: "span" },
    { prefix: ["integration"], endpoint: "integration", category: "log_item" },
    { prefix: ["events"], endpoint: "attachments", category: "attachment" },
    { prefix: ["upload"], endpoint: "upload", category: "attachment" },
  ];

const API = "/api/";
/** `/api/embed/error-page/`: the script of the report dialog, and what users write in it. */
const DIALOG = "error-page";
const SLASH = 47;

/**
 * The route for a neutral path: one of `paths`, like `/t`, with or without a trailing slash. It takes envelopes of every project. Their DSN
 * names the project, so an SDK reaches it by `tunnel: "https://host/t/"`. Filter lists of ad blockers do not contain it.
 */
export function parseNeutralRoute(url: string, paths: readonly string[]): IngestRoute | null {
  const queryAt = url.indexOf("?");
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const isNeutral = paths.some((one) => path.startsWith(one) && /^\/*$/.test(path.slice(one.length)));
  return isNeutral ? supportedRoute("envelope", null, queryAt < 0 ? "" : url.slice(queryAt + 1)) : null;
}

/**
 * The route for `/v1/traces`, `/v1/logs` or `/v1/metrics`, where exporters send that know only the host. The key names the project. There
 * are no pages below `/v1` or `/v1development`: other paths there are mistyped, or belong to signals that this version does not accept.
 */
export function parsePlainOtlpRoute(url: string): IngestRoute | null {
  const match = /^\/(v1|v1development)\/+([^/?]+)([^?]*)(?:\?(.*))?$/.exec(url);
  if (match === null) return null;
  const [, version, signal = "", rest = "", query = ""] = match;
  const route = version === "v1" && /^\/*$/.test(rest) ? otlpRoute(signal, null, query) : null;
  return route ?? { kind: "unsupported", projectId: null, endpoint: "otlp", pathKey: null, query, category: "span" };
}

function otlpRoute(signal: string, projectId: number | null, query: string): IngestRoute | null {
  const known = OTLP.get(signal);
  return known === undefined ? null : { kind: "otlp", projectId, endpoint: "otlp", pathKey: null, query, ...known };
}

/**
 * The ingest endpoint of a request's URL. Null: the path is no ingest path, like a page or `/api/0/…`. Prefixes before `/api/`, doubled
 * slashes and a missing trailing slash are tolerated (protocol 1.1, 13).
 */
export function parseIngestRoute(url: string): IngestRoute | null {
  let pathEnd = url.indexOf("?");
  const query = pathEnd < 0 ? "" : url.slice(pathEnd + 1);
  if (pathEnd < 0) pathEnd = url.length;

  let badProject: IngestRoute | null = null;
  let from = 0;
  while (true) {
    const at = url.indexOf(API, from);
    if (at < 0 || at + API.length > pathEnd) return badProject;
    const start = skipSlashes(url, at + API.length, pathEnd);
    const end = segmentEnd(url, start, pathEnd);
    const first = url.slice(start, end);
    const rest = skipSlashes(url, end, pathEnd);
    // The web API for people and tools.
    if (first === "0") return null;
    const projectId = parseProjectId(first);
    if (projectId !== null) return parseProjectRoute(url, rest, pathEnd, projectId, query);
    if (rest === pathEnd && first === "store") return supportedRoute("store", null, query);
    if (first === "embed" && isLastSegment(url, rest, pathEnd, DIALOG)) return dialogRoute(query);
    if (badProject === null && first !== "") badProject = parseBadProject(url, rest, pathEnd, query);
    from = at + API.length - 1;
  }
}

function parseProjectRoute(url: string, start: number, pathEnd: number, projectId: number, query: string): IngestRoute {
  const end = segmentEnd(url, start, pathEnd);
  const name = url.slice(start, end);
  if (skipSlashes(url, end, pathEnd) === pathEnd) {
    const route = supportedRoute(name, projectId, query);
    if (route) return route;
  }
  const segments = url
    .slice(start, pathEnd)
    .split("/")
    .filter((segment) => segment !== "");
  const otlpSegments = segments[0] === "integration" ? segments.slice(1) : segments;
  if (otlpSegments.length === 3 && otlpSegments[0] === "otlp" && otlpSegments[1] === "v1") {
    const route = otlpRoute(otlpSegments[2] ?? "", projectId, query);
    if (route !== null) return route;
  }
  if (segments[0] === "cron" && segments.length >= 2 && segments.length <= 4) {
    const [, slug = "", pathKey = null, word = null] = segments.map(decodePercent);
    return { kind: "cron", projectId, endpoint: "cron", pathKey, query, category: "monitor", cron: { slug, word } };
  }
  const known = UNSUPPORTED.find(({ prefix }) => prefix.every((segment, at) => segments[at] === segment));
  if (!known) return { kind: "unknown", projectId, endpoint: name, pathKey: null, query, category: "default" };
  const pathKey = known.keySegment === undefined ? null : (segments[known.keySegment] ?? null);
  return { kind: "unsupported", projectId, endpoint: known.endpoint, pathKey, query, category: known.category };
}

function parseBadProject(url: string, start: number, pathEnd: number, query: string): IngestRoute | null {
  const end = segmentEnd(url, start, pathEnd);
  const name = url.slice(start, end);
  if (skipSlashes(url, end, pathEnd) !== pathEnd || !SUPPORTED.has(name)) return null;
  return { kind: "bad-project", projectId: null, endpoint: name, pathKey: null, query, category: "default" };
}

function supportedRoute(name: string, projectId: number | null, query: string): IngestRoute | null {
  const found = SUPPORTED.get(name);
  if (!found) return null;
  return { kind: found.kind, projectId, endpoint: name, pathKey: null, query, category: found.category };
}

/** The route of the report dialog. The user's text counts in the category of the item that it becomes. */
function dialogRoute(query: string): IngestRoute {
  return { kind: "dialog", projectId: null, endpoint: DIALOG, pathKey: null, query, category: "default" };
}

function isLastSegment(url: string, start: number, pathEnd: number, name: string): boolean {
  const end = segmentEnd(url, start, pathEnd);
  return url.slice(start, end) === name && skipSlashes(url, end, pathEnd) === pathEnd;
}

function skipSlashes(url: string, from: number, end: number): number {
  let at = from;
  while (at < end && url.charCodeAt(at) === SLASH) at++;
  return at;
}

function segmentEnd(url: string, from: number, end: number): number {
  const at = url.indexOf("/", from);
  return at < 0 || at > end ? end : at;
}
