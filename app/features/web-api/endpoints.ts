import type { Endpoint } from "./endpoint.ts";
import { EVENT_ENDPOINTS } from "./endpoints/event-endpoints.ts";
import { ISSUE_ENDPOINTS } from "./endpoints/issue-endpoints.ts";
import { MONITOR_ENDPOINTS } from "./endpoints/monitor-endpoints.ts";
import { PROJECT_ENDPOINTS } from "./endpoints/project-endpoints.ts";
import { RELEASE_ENDPOINTS } from "./endpoints/release-endpoints.ts";
import { REPOSITORY_ENDPOINTS } from "./endpoints/repository-endpoints.ts";
import { SOURCE_MAP_ENDPOINTS } from "./endpoints/source-map-endpoints.ts";
import { UPLOAD_ENDPOINTS } from "./endpoints/upload-endpoints.ts";

/**
 * All of the web API: who may call what is decided by this table, and the OpenAPI document is made from it. A route
 * without its line here is answered 404.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  ...PROJECT_ENDPOINTS,
  ...ISSUE_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...RELEASE_ENDPOINTS,
  ...UPLOAD_ENDPOINTS,
  ...SOURCE_MAP_ENDPOINTS,
  ...REPOSITORY_ENDPOINTS,
  ...MONITOR_ENDPOINTS,
];

/** By number of segments, so that few patterns are tried. Fixed words win over names, as they do in the router. */
const BY_LENGTH = Map.groupBy(
  ENDPOINTS.map((endpoint) => ({ endpoint, segments: toSegments(endpoint.path) })),
  ({ segments }) => segments.length,
);
for (const candidates of BY_LENGTH.values()) {
  candidates.sort((a, b) => countNames(a.segments) - countNames(b.segments));
}

/**
 * The endpoint of a request. `path` is the part after `/api/0`, with or without a slash at its end.
 * When the path is known and the method is not, the methods that are.
 */
export function findEndpoint(method: string, path: string): { endpoint: Endpoint | null; allowed: string[] } {
  const segments = toSegments(path);
  const fitting = (BY_LENGTH.get(segments.length) ?? []).filter((candidate) =>
    candidate.segments.every((segment, index) => isName(segment) || segment === segments[index]),
  );
  const best = fitting[0] && countNames(fitting[0].segments);
  const ofPath = fitting.filter((candidate) => countNames(candidate.segments) === best).map(({ endpoint }) => endpoint);
  // What reads may also be asked for its headers alone.
  const wanted = method === "HEAD" ? "GET" : method;
  return {
    endpoint: ofPath.find((endpoint) => endpoint.method === wanted) ?? null,
    allowed: ofPath.map((endpoint) => endpoint.method),
  };
}

function toSegments(path: string): string[] {
  return path.replace(/^\/+|\/+$/g, "").split("/");
}

function isName(segment: string): boolean {
  return segment.startsWith("{");
}

function countNames(segments: readonly string[]): number {
  return segments.filter(isName).length;
}
