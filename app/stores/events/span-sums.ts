import type { ScopedProjectIds } from "../../domain/scope.ts";

/** What spans are summed by: `name` is the name group. */
export const SPAN_GROUPS = ["project", "op", "name", "segment", "release", "environment", "status"] as const;
export type SpanGroup = (typeof SPAN_GROUPS)[number];

export interface SpanSumFilter {
  projectIds: ScopedProjectIds;
  /** Inclusive and exclusive bound of when they began, rounded to minutes; milliseconds since 1970. */
  from: number;
  to: number;
  /** Only segments: transactions, and the first spans of a service. */
  isSegment?: boolean;
  ops?: readonly string[];
  /** Name groups. */
  names?: readonly string[];
  segments?: readonly string[];
  releases?: readonly string[];
  environments?: readonly string[];
}

export interface SpanSum {
  /** Values by group. Groups that were not requested are absent. */
  group: Partial<Record<SpanGroup, string | number | null>>;
  /** Beginning of the bucket; null: the whole range. */
  at: number | null;
  /** Spans that are stored. */
  spans: number;
  /** Spans that they stand for: each counts as often as its sampling rate says. The other figures are weighted by it, too. */
  weight: number;
  totalUs: number;
  /** Within 3 % of what the spans took; null without spans. */
  p50Us: number | null;
  p75Us: number | null;
  p95Us: number | null;
  p99Us: number | null;
}

/** Groups of one answer: those of most time in all. */
export const MAX_SPAN_GROUPS = 100;

/** What is known of a trace as a whole. */
export interface TraceSummary {
  /** Microseconds since 1970. */
  firstUs: number;
  lastUs: number;
  spans: number;
  /** Spans whose status says that they failed. */
  failed: number;
  /** The oldest span without a parent; null: none has come. */
  root: { name: string | null; op: string | null; projectId: number } | null;
  services: string[];
  projectIds: number[];
}

export type AttributeSignal = "spans" | "logs";

export interface AttributeFilter {
  projectIds: ScopedProjectIds;
  signal: AttributeSignal;
  /** Bounds by the hour, of when they came; milliseconds since 1970. */
  from: number;
  to: number;
}

/** Sums that are kept of spans and logs. They hold what has come, also in the last seconds. */
export interface SpanSums {
  /** The `MAX_SPAN_GROUPS` groups of most time; with `bucketMs`, one for each bucket in which there is something. */
  sumSpans(
    filter: SpanSumFilter,
    options: { groupBy: readonly SpanGroup[]; bucketMs: number | null },
  ): Promise<SpanSum[]>;
  /** Null: nothing of it is stored. */
  findTrace(filter: { projectIds: ScopedProjectIds; traceId: string }): Promise<TraceSummary | null>;
  /** Keys of attributes and of well-known fields, the most frequent first, at most `limit`. Values of well-known fields lag by a minute at most; attributes do where more than 2,000 rows came in it. */
  listAttributeKeys(filter: AttributeFilter, limit: number): Promise<Array<{ key: string; count: number }>>;
  /** Keys with so many values that rare ones may not be counted. The count of such a key is a lower bound. */
  listCutKeys(filter: AttributeFilter): Promise<string[]>;
  /**
   * Values of a key, the most frequent first. For keys with very many values: those that were frequent in their minutes. May lag as the
   * keys do.
   */
  listAttributeValues(
    filter: AttributeFilter & { key: string; prefix?: string },
    limit: number,
  ): Promise<Array<{ value: string; count: number }>>;
}
