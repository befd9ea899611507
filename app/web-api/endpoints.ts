import { z } from "zod";
import { answer } from "./answers.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { ACKNOWLEDGE_ENDPOINTS } from "./endpoints/acknowledge.ts";
import { ALERT_RULE_ENDPOINTS } from "./endpoints/alert-rules.ts";
import { ATTACHMENT_ENDPOINTS } from "./endpoints/attachments.ts";
import { AUDIT_ENDPOINTS } from "./endpoints/audit-logs.ts";
import { COMMENT_ENDPOINTS } from "./endpoints/comments.ts";
import { DELETION_ENDPOINTS } from "./endpoints/deletions.ts";
import { EVENT_ENDPOINTS } from "./endpoints/events.ts";
import { EXPLORE_ENDPOINTS } from "./endpoints/explore.ts";
import { EXTERNAL_ISSUE_ENDPOINTS } from "./endpoints/external-issues.ts";
import { FILTER_ENDPOINTS } from "./endpoints/filters.ts";
import { HASH_ENDPOINTS } from "./endpoints/hashes.ts";
import { ISSUE_DETAIL_ENDPOINTS } from "./endpoints/issue-details.ts";
import { ISSUE_ENDPOINTS } from "./endpoints/issues.ts";
import { KEY_ENDPOINTS } from "./endpoints/keys.ts";
import { MEMBER_ENDPOINTS } from "./endpoints/members.ts";
import { METRIC_ALERT_ENDPOINTS } from "./endpoints/metric-alerts.ts";
import { MONITOR_DETAIL_ENDPOINTS } from "./endpoints/monitor-details.ts";
import { MONITOR_STATS_ENDPOINTS } from "./endpoints/monitor-stats.ts";
import { MONITOR_ENDPOINTS } from "./endpoints/monitors.ts";
import { ORGANIZATION_ENDPOINTS } from "./endpoints/organizations.ts";
import { OWNERSHIP_ENDPOINTS } from "./endpoints/ownership.ts";
import { PROJECT_ENDPOINTS } from "./endpoints/projects.ts";
import { QUOTA_ENDPOINTS } from "./endpoints/quotas.ts";
import { RELEASE_FILE_ENDPOINTS } from "./endpoints/release-files.ts";
import { RELEASE_ENDPOINTS } from "./endpoints/releases.ts";
import { REPLAY_ENDPOINTS } from "./endpoints/replays.ts";
import { REPOSITORY_ENDPOINTS } from "./endpoints/repositories.ts";
import { ROTA_ENDPOINTS } from "./endpoints/rotas.ts";
import { SESSION_ENDPOINTS } from "./endpoints/sessions.ts";
import { SILENCE_ENDPOINTS } from "./endpoints/silences.ts";
import { SOURCE_MAP_ENDPOINTS } from "./endpoints/source-maps.ts";
import { STATS_ENDPOINTS } from "./endpoints/stats.ts";
import { TAG_ENDPOINTS } from "./endpoints/tags.ts";
import { TEAM_ENDPOINTS } from "./endpoints/teams.ts";
import { TOKEN_ENDPOINTS } from "./endpoints/tokens.ts";
import { TRACE_ENDPOINTS } from "./endpoints/traces.ts";
import { UPLOAD_ENDPOINTS } from "./endpoints/uploads.ts";
import { UPTIME_ENDPOINTS } from "./endpoints/uptime.ts";
import { UPTIME_LOCATION_ENDPOINTS } from "./endpoints/uptime-locations.ts";
import { USER_FEEDBACK_ENDPOINTS } from "./endpoints/user-feedback.ts";
import { VOLUME_ENDPOINTS } from "./endpoints/volume.ts";
import { WATCH_FILE_ENDPOINTS } from "./endpoints/watch-file.ts";
import { WORKFLOW_ENDPOINTS } from "./endpoints/workflows.ts";
import { toOpenApi, toPaths } from "./to-open-api.ts";

/** All endpoints of the web API. This table routes, checks and authorizes requests, and the OpenAPI document is made from it. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...ORGANIZATION_ENDPOINTS,
  ...MEMBER_ENDPOINTS,
  ...TOKEN_ENDPOINTS,
  ...ROTA_ENDPOINTS,
  ...TEAM_ENDPOINTS,
  ...ACKNOWLEDGE_ENDPOINTS,
  ...ALERT_RULE_ENDPOINTS,
  ...METRIC_ALERT_ENDPOINTS,
  ...WORKFLOW_ENDPOINTS,
  ...WATCH_FILE_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...PROJECT_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...FILTER_ENDPOINTS,
  ...QUOTA_ENDPOINTS,
  ...SILENCE_ENDPOINTS,
  ...VOLUME_ENDPOINTS,
  ...OWNERSHIP_ENDPOINTS,
  ...ISSUE_ENDPOINTS,
  ...ISSUE_DETAIL_ENDPOINTS,
  ...COMMENT_ENDPOINTS,
  ...EXTERNAL_ISSUE_ENDPOINTS,
  ...HASH_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...ATTACHMENT_ENDPOINTS,
  ...EXPLORE_ENDPOINTS,
  ...TRACE_ENDPOINTS,
  ...TAG_ENDPOINTS,
  ...DELETION_ENDPOINTS,
  ...STATS_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...RELEASE_ENDPOINTS,
  ...RELEASE_FILE_ENDPOINTS,
  ...UPLOAD_ENDPOINTS,
  ...SOURCE_MAP_ENDPOINTS,
  ...REPOSITORY_ENDPOINTS,
  ...MONITOR_ENDPOINTS,
  ...MONITOR_DETAIL_ENDPOINTS,
  ...MONITOR_STATS_ENDPOINTS,
  ...UPTIME_ENDPOINTS,
  ...UPTIME_LOCATION_ENDPOINTS,
  ...USER_FEEDBACK_ENDPOINTS,
  ...REPLAY_ENDPOINTS,
  endpoint({
    method: "GET",
    path: "/openapi.json",
    scopes: "public",
    summary: "This document.",
    answers: { 200: { what: "OpenAPI 3.1", json: z.looseObject({ openapi: z.string() }) } },
    handle({ version, baseUrl }) {
      // The paths are made only once, because anybody may ask for the document.
      documentedPaths ??= toPaths(ENDPOINTS);
      return answer(toOpenApi(documentedPaths, { version, rootUrl: new URL(baseUrl).origin }));
    },
  }),
];

let documentedPaths: ReturnType<typeof toPaths> | undefined;

/** Endpoints by the number of segments of their path, so that a request tries few patterns. Fixed words come before names in braces. */
const BY_LENGTH = Map.groupBy(
  ENDPOINTS.map((endpoint) => ({ endpoint, segments: toSegments(endpoint.path) })),
  ({ segments }) => segments.length,
);
for (const candidates of BY_LENGTH.values()) {
  candidates.sort((a, b) => countNames(a.segments) - countNames(b.segments));
}

/**
 * The endpoint of a request. `path` is the part after `/api/0`, percent-encoded, with or without a slash at its end.
 * `allowed`: the methods of the path, for a request with another one.
 */
export function findEndpoint(
  method: string,
  path: string,
): { endpoint: Endpoint | null; params: Record<string, string>; allowed: string[] } {
  const segments = toSegments(path);
  const fitting = (BY_LENGTH.get(segments.length) ?? []).filter((candidate) =>
    candidate.segments.every((segment, index) => isName(segment) || segment === segments[index]),
  );
  const best = fitting[0] && countNames(fitting[0].segments);
  const ofPath = fitting.filter((candidate) => countNames(candidate.segments) === best);
  // A GET endpoint also answers HEAD.
  const wanted = method === "HEAD" ? "GET" : method;
  const found = ofPath.find(({ endpoint }) => endpoint.method === wanted);
  const params = found ? readParams(found.segments, segments) : null;
  return {
    endpoint: params && found ? found.endpoint : null,
    params: params ?? {},
    allowed: found ? [] : ofPath.map(({ endpoint }) => endpoint.method),
  };
}

/** The values of the names in braces. Null: one of the segments is not encoded well, so the path cannot exist. */
function readParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  try {
    return Object.fromEntries(
      pattern.flatMap((name, index) =>
        isName(name) ? [[name.slice(1, -1), decodeURIComponent(segments[index] ?? "")]] : [],
      ),
    );
  } catch {
    return null;
  }
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
