import { z } from "zod";
import { MINUTE_MS } from "../../domain/time.ts";
import {
  crashFreeRate,
  getSessionSeries,
  type SessionSeries,
} from "../../features/sessions/get-session-series.server.ts";
import type { SessionGroup, SessionTally } from "../../stores/events/sessions.ts";
import { answer, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { toBuckets } from "../get-stats.server.ts";
import { ENVIRONMENTS, PROJECTS, period, TIME_RANGE, toEnvironments, toProjectScope } from "../query.ts";
import { instant } from "../shapes.ts";

/** More buckets than a graph can show. With `MAX_SESSION_GROUPS` groups these are 100,000 numbers. */
const MAX_BUCKETS = 1_000;

const FIELDS = [
  "sum(session)",
  "count_unique(user)",
  "crash_rate(session)",
  "crash_rate(user)",
  "crash_free_rate(session)",
  "crash_free_rate(user)",
] as const;
type Field = (typeof FIELDS)[number];

const GROUPS = ["project", "release", "environment", "session.status"] as const;
/** The words of Sentry's documentation. `healthy`: the session reported no error. */
const STATUSES = ["healthy", "errored", "crashed", "abnormal", "unhandled"] as const;
type ShownStatus = (typeof STATUSES)[number];

const sessionsQuery = z.object({
  field: z
    .array(z.enum(FIELDS, `must be one of ${FIELDS.join(", ")}`), "is required, like sum(session)")
    .describe("Repeatable"),
  groupBy: z.array(z.enum(GROUPS)).default([]).describe("Repeatable"),
  interval: period.optional().describe("Like `1h` or `1d`; at least a minute"),
  ...TIME_RANGE,
  ...PROJECTS,
  ...ENVIRONMENTS,
  query: z
    .string()
    .regex(/^(\s*release:("[^"]+"|[^\s"]+)\s*)?$/, "may only name a release, like release:shop@1.2.0")
    .default("")
    .describe("`release:VERSION`"),
});

const numbers = z.record(z.string(), z.number().nullable());

export const SESSION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/sessions/",
    scopes: ["org:read"],
    summary: "Sessions and their users, counted by release, environment and status.",
    query: sessionsQuery,
    answers: {
      200: {
        what: "Counts",
        json: z.object({
          start: instant,
          end: instant,
          query: z.string(),
          intervals: z.array(instant),
          groups: z.array(
            z.object({
              by: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
              totals: numbers,
              series: z.record(z.string(), z.array(z.number().nullable())),
            }),
          ),
        }),
      },
    },
    async handle({ workspace, query, now }) {
      const byStatus = query.groupBy.includes("session.status");
      const rate = query.field.find((field) => field.startsWith("crash"));
      if (byStatus && rate) throw refusal(400, `groupBy: ${rate} has no session.status to be grouped by`);
      const { from, to, intervalMs, bucketCount } = toBuckets(query, now, {
        unitMs: MINUTE_MS,
        maxBuckets: MAX_BUCKETS,
      });
      const { projectIds } = await toProjectScope(workspace, query);
      const release = /release:"?([^"]*?)"?\s*$/.exec(query.query)?.[1];
      const groups = await getSessionSeries(
        workspace.events,
        { projectIds, from, to, ...(release ? { releases: [release] } : {}), ...toEnvironments(query) },
        {
          groupBy: query.groupBy.filter((group): group is SessionGroup => group !== "session.status"),
          bucketMs: intervalMs,
        },
      );
      return answer({
        start: toIso(from),
        end: toIso(to),
        query: query.query,
        intervals: Array.from({ length: bucketCount }, (_, index) => toIso(from + index * intervalMs)),
        groups: groups.flatMap((group) =>
          byStatus ? STATUSES.map((status) => toGroup(group, query, status)) : [toGroup(group, query, null)],
        ),
      });
    },
  }),
];

function toGroup(
  { projectId, release, environment, total, buckets }: SessionSeries,
  { field, groupBy }: z.output<typeof sessionsQuery>,
  status: ShownStatus | null,
) {
  const values: Record<(typeof GROUPS)[number], string | number | null> = {
    project: projectId,
    release,
    environment: environment ?? "",
    "session.status": status,
  };
  return {
    by: Object.fromEntries(groupBy.map((group) => [group, values[group]])),
    totals: Object.fromEntries(field.map((each) => [each, toValue(total, each, status)])),
    series: Object.fromEntries(field.map((each) => [each, buckets.map((bucket) => toValue(bucket, each, status))])),
  };
}

function toValue(counts: SessionSeries["total"], field: Field, status: ShownStatus | null): number | null {
  const tally = field.endsWith("(user)") ? counts.users : counts.sessions;
  if (!field.startsWith("crash")) return status === null ? tally.total : countOf(tally, status);
  const free = crashFreeRate(tally);
  return free === null || field.startsWith("crash_free") ? free : 1 - free;
}

/** The number of sessions with a status. Each session counts for one status only: `errored` are those that had errors and still ended well. */
function countOf({ total, errored, crashed, abnormal, unhandled }: SessionTally, status: ShownStatus): number {
  switch (status) {
    case "healthy":
      return Math.max(0, total - errored);
    case "errored":
      return Math.max(0, errored - crashed - abnormal - unhandled);
    case "crashed":
      return crashed;
    case "abnormal":
      return abnormal;
    case "unhandled":
      return unhandled;
  }
}
