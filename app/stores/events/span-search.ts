import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";
import type { DurationHistogram } from "../../domain/spans/duration-histogram.ts";

/** Rows that a search reads at most, the newest: where it reads columns only, and where it reads the text of attributes. */
export const MAX_SEARCHED_SPANS = 5_000_000;
export const MAX_SEARCHED_ATTRIBUTES = 500_000;

/** Groups of one answer. */
export const MAX_GROUPS = 100;

export interface SpanSearchFilter {
  projectIds: ScopedProjectIds;
  /** Inclusive and exclusive bound of when spans began; milliseconds since 1970. */
  from: number;
  to: number;
  /** In the fields of `SPAN_VOCABULARY`; `projectId` in place of `project`. */
  where: Condition;
}

/** A field of `SPAN_VOCABULARY`, or an attribute by its key. */
export interface SpanKey {
  name: string;
  isTag: boolean;
}

export interface FoundSpan {
  projectId: number;
  /** 32 and 16 lower-case hex characters. */
  traceId: string;
  spanId: string;
  isSegment: boolean;
  /** Microseconds since 1970. */
  startedUs: number;
  durationUs: number;
  op: string | null;
  name: string | null;
  status: string | null;
  segment: string | null;
  release: string | null;
  environment: string | null;
  service: string | null;
  userId: string | null;
  /** Of the keys that were asked for, in their order. */
  values: ReadonlyArray<string | null>;
}

/** Where a search ended: the instant (milliseconds since 1970) before which it did not look; null: it looked at the whole range. */
export interface SearchReach {
  searchedFrom: number | null;
}

export interface FoundSpans extends SearchReach {
  spans: FoundSpan[];
  nextCursor: string | null;
}

/** Figures of a group of spans. All but `spans` count each span as often as its sampling rate says. */
export interface SpanGroupSum {
  /** Values of the keys, in their order. */
  group: ReadonlyArray<string | null>;
  /** Beginning of the bucket, milliseconds since 1970; null: the whole range. */
  at: number | null;
  /** Spans that are stored. */
  spans: number;
  weight: number;
  failedWeight: number;
  totalUs: number;
  durations: DurationHistogram;
}

export interface SpanGroupSums extends SearchReach {
  sums: SpanGroupSum[];
  /** Whether there are more groups than were asked for. */
  hasMore: boolean;
}

export interface SpanSumOptions {
  by: readonly SpanKey[];
  /** At least a minute, and whole minutes; null: one sum for the whole range. */
  bucketMs: number | null;
  /** At most so many groups: those of most spans, or of most time. At most `MAX_GROUPS`. */
  limit: number;
  largest: "weight" | "total_us";
}

/** Spans by a search. */
export interface SpanSearch {
  /** At most 100. An invalid cursor gives the first page. */
  findSpans(
    filter: SpanSearchFilter,
    page: { order: "newest" | "slowest"; cursor: string | null; limit: number; keys?: readonly SpanKey[] },
  ): Promise<FoundSpans>;
  /** Durations are within 3 %. From sums by minute where the condition and the keys allow it, else from rows. */
  sumFoundSpans(filter: SpanSearchFilter, options: SpanSumOptions): Promise<SpanGroupSums>;
}
