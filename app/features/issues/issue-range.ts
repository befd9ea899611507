import { DAY_MS, HOUR_MS } from "../../domain/time.ts";

/** Time ranges of the issue's page; `all` begins when the issue was first seen. */
export const ISSUE_PERIODS = [
  { value: "all", label: "Since first seen", days: null },
  { value: "1d", label: "Last 24 hours", days: 1 },
  { value: "7d", label: "Last 7 days", days: 7 },
  { value: "14d", label: "Last 14 days", days: 14 },
  { value: "30d", label: "Last 30 days", days: 30 },
  { value: "90d", label: "Last 90 days", days: 90 },
] as const;

/** Approximate maximum of bars in a graph. */
const MAX_BUCKETS = 60;
const BUCKETS_MS = [
  HOUR_MS / 12,
  HOUR_MS / 4,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  7 * DAY_MS,
  30 * DAY_MS,
];

export interface IssueRange {
  period: (typeof ISSUE_PERIODS)[number]["value"];
  /** Bounds of the time in which events count, in milliseconds since 1970. Null: open. */
  from: number | null;
  to: number | null;
  /** The bounds of the graph, rounded to whole buckets. */
  graph: { from: number; to: number; bucketMs: number };
}

/** The period with that name, or `all` for any other name. Instants are milliseconds since 1970. */
export function toIssueRange(
  value: string | null,
  { firstSeenAt, now }: { firstSeenAt: number; now: number },
): IssueRange {
  const period = ISSUE_PERIODS.find((one) => one.value === value) ?? ISSUE_PERIODS[0];
  const from = period.days === null ? null : now - period.days * DAY_MS;
  const begin = from ?? Math.min(firstSeenAt, now - HOUR_MS);
  const bucketMs = BUCKETS_MS.find((size) => (now - begin) / size <= MAX_BUCKETS) ?? (BUCKETS_MS.at(-1) as number);
  const graphFrom = Math.floor(begin / bucketMs) * bucketMs;
  return {
    period: period.value,
    from,
    to: null,
    graph: { from: graphFrom, to: Math.floor(now / bucketMs) * bucketMs + bucketMs, bucketMs },
  };
}
