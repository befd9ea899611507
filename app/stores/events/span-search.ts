import type { NumberSum } from "../../domain/number-sum.ts";
import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";
import type { DurationHistogram } from "../../domain/spans/duration-histogram.ts";
import type { SpanAggregate } from "../../domain/spans/span-aggregates.ts";
import type { TraceSummary } from "./span-sums.ts";

/** Rows of its projects that a search reads at most, the newest: where it reads columns only, and where it reads the text of attributes. */
export const MAX_SEARCHED_SPANS = 5_000_000;
export const MAX_SEARCHED_ATTRIBUTES = 500_000;
/** Rows that it passes to find them: theirs, and those of other projects that lie between. */
export const MAX_PASSED_SPANS = 20_000_000;
export const MAX_PASSED_ATTRIBUTES = 5_000_000;

/** Groups of one answer. */
export const MAX_GROUPS = 100;

export interface SpanSearchFilter {
  projectIds: ScopedProjectIds;
  /** Inclusive and exclusive bound of when spans began; milliseconds since 1970. */
  from: number;
  to: number;
  /** Only spans that began in one of these few ranges. They are within the range above and do not overlap. Only for `findSpans`. */
  within?: ReadonlyArray<{ from: number; to: number }>;
  /**
   * Only spans that were stored before this ordinal: `SearchProgress.next` of a search that was not finished. Figures from sums ignore
   * it.
   */
  beforeOrdinal?: number;
  /**
   * A condition in the fields of `SPAN_VOCABULARY`. It has `projectId` instead of `project`, and `transactionName` as in sums of
   * transactions.
   */
  where: Condition;
}

/** A field of `SPAN_VOCABULARY`, or an attribute by its key. */
export interface SpanKey {
  name: string;
  isTag: boolean;
  /** Only for `service`: the service of spans that name none, by project. */
  unnamed?: ReadonlyMap<number, string>;
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
  /** As people read it: a method alone is the group of its requests. */
  segment: string | null;
  release: string | null;
  environment: string | null;
  service: string | null;
  userId: string | null;
  /** Of the keys that were asked for, in their order. */
  values: ReadonlyArray<string | null>;
}

/** How far back a search looked: up to this instant, in milliseconds since 1970. Null: it looked at the whole range. */
export interface SearchReach {
  searchedFrom: number | null;
  /** If it has not looked at the whole range: how far it is, including the searches before it that it continues. */
  progress?: SearchProgress;
}

/** How many spans of the projects and the range were searched, and where to continue: `beforeOrdinal` of the next filter. */
export interface SearchProgress {
  searched: number;
  spans: number;
  next: number;
}

export interface FoundSpans extends SearchReach {
  spans: FoundSpan[];
  nextCursor: string | null;
}

/** A trace with spans that a search has found. */
export interface FoundTrace extends TraceSummary {
  /** 32 lower-case hex characters. */
  traceId: string;
  /** Spans of it that match, as far as the search looked. */
  matched: number;
  /** When the newest of these began, microseconds since 1970. */
  matchedUs: number;
  /** Error events. */
  errors: number;
}

export interface FoundTraces extends SearchReach {
  traces: FoundTrace[];
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
  /** In the order of the requested attributes. Undefined: no span of the group has a number there. Absent: no attribute was requested. */
  numbers?: ReadonlyArray<NumberSum | undefined>;
}

export interface SpanGroupSums extends SearchReach {
  sums: SpanGroupSum[];
  /** Whether there are more groups than were asked for. */
  hasMore: boolean;
  /** Sums of all groups, by bucket, including groups that are left out. */
  totals: SpanGroupSum[];
  /** Sums of the whole range, for more groups: see `wholeLimit`. */
  whole: { sums: SpanGroupSum[]; hasMore: boolean };
}

export interface SpanSumOptions {
  by: readonly SpanKey[];
  /** Whole minutes, at least one. Null: one sum for the whole range. */
  bucketMs: number | null;
  /** The number of groups, in their order. At most `MAX_GROUPS`. */
  limit: number;
  /** The same of groups whose sum of the whole range is wanted, too; none where it is absent. */
  wholeLimit?: number;
  /** Attributes whose numbers are summed, too; at most `MAX_NUMBERS`. */
  numbers?: readonly SpanKey[];
  /** The order of all groups. Absent: most spans first. */
  order?: SpanGroupOrder;
}

/**
 * Sorts groups by a figure, or by the key at a place of `by`. Keys that are numbers are sorted by size and come before other texts.
 * Among equal groups, those of most spans come first.
 */
export interface SpanGroupOrder {
  of: SpanAggregate | number;
  /** The place in `numbers` of the figure's attribute. Groups without such a number are left out. Absent: the figure is of durations. */
  number?: number;
  isDescending: boolean;
}

/** A part of the spans that a search finds: by when they began, and how long they took. Microseconds; upper bounds are exclusive, null is open. */
export interface SpanSelection {
  fromUs: number;
  toUs: number;
  minUs: number;
  maxUs: number | null;
}

/** Values of one comparison, at most, and numbers of all its attributes that have many. */
export const MAX_COMPARED_VALUES = 500;
export const MAX_COMPARED_NUMBERS = 5_000;

/** One side of a comparison. */
export interface ComparedSpans {
  /** Spans that match, as far as the search looked. */
  spans: number;
  /** The spans whose attributes were read, spread evenly over all spans. */
  read: number;
  /** The number of spans that those stand for, by their sampling rate. */
  weight: number;
}

/** How many of the spans that were read have something. */
export interface ComparedCounts {
  selected: { spans: number; weight: number };
  rest: { spans: number; weight: number };
}

export interface ComparedValue extends ComparedCounts {
  key: string;
  value: string;
}

/** A number of an attribute that has many. Numbers within 6 % of each other are one, with their mean. */
export interface ComparedNumber extends ComparedCounts {
  key: string;
  number: number;
}

export interface SpanComparison extends SearchReach {
  selected: ComparedSpans;
  rest: ComparedSpans;
  /** Those whose share differs most first. */
  values: ComparedValue[];
  /** Attributes with more than ten values, most of them numbers. `values` has none of these. */
  numbers: ComparedNumber[];
}

export interface SpanSearch {
  /** At most 100. An invalid cursor gives the first page. */
  findSpans(
    filter: SpanSearchFilter,
    page: { order: "newest" | "slowest"; cursor: string | null; limit: number; keys?: readonly SpanKey[] },
  ): Promise<FoundSpans>;
  /** Traces of the spans that match, those with the newest one first. At most 100, and fewer where many spans of a trace match. An invalid cursor gives the first page. */
  findTraces(filter: SpanSearchFilter, page: { cursor: string | null; limit: number }): Promise<FoundTraces>;
  /** Values of fields and attributes in the selection, and in the rest of what the search finds. */
  compareSpans(filter: SpanSearchFilter, selection: SpanSelection): Promise<SpanComparison>;
  /** Durations are within 3 %. From sums by minute where the condition and the keys allow it, else from rows. */
  sumFoundSpans(filter: SpanSearchFilter, options: SpanSumOptions): Promise<SpanGroupSums>;
}
