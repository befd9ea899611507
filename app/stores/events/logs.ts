import type { SequenceRange } from "../../domain/journal-positions.ts";
import type { LogSeverity } from "../../domain/logs/log-severity.ts";
import type { NumberSum } from "../../domain/number-sum.ts";
import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";
import type { TraceFilter } from "./spans.ts";

/** A log line, lossless with its attributes and its rest. */
export interface LogRow {
  /** Sequence of its journal record. */
  sequence: number;
  projectId: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** 32 lower-case hex characters. */
  traceId: string | null;
  /** 16 lower-case hex characters. */
  spanId: string | null;
  /** Microseconds since 1970 by the server's clock. */
  occurredUs: number;
  /** Microseconds by which the time was moved, because the sender's clock was wrong. Null: it is as sent. */
  shiftUs: number | null;
  /** Tells lines of the same instant apart: `sentry.timestamp.sequence`. */
  tieBreaker: number | null;
  /** As sent. */
  level: string | null;
  /** 1 to 24, as OpenTelemetry counts; from the level where none was sent. */
  severity: number;
  body: string;
  /** The text with its parameters left open. */
  template: string | null;
  origin: string | null;
  logger: string | null;
  release: string | null;
  environment: string | null;
  service: string | null;
  serverAddress: string | null;
  userId: string | null;
  replayId: string | null;
  sdkName: string | null;
  sdkVersion: string | null;
  /** JSON of the attributes that have no column, as a container has them; null: it was sent without attributes. */
  attributes: string | null;
  /** JSON of the fields that have no column; null: there are none. */
  rest: string | null;
  /** JSON of the context that it was sent with: `sdk`, `request`, `container`. */
  resource: string | null;
}

/** A line of a trace, as pages show it beside others. Each column more is read for 40,000 lines where they lie in a file. */
export type TraceLog = Pick<
  LogRow,
  "sequence" | "projectId" | "spanId" | "occurredUs" | "shiftUs" | "severity" | "body" | "logger" | "service"
>;

export interface StoredLog extends LogRow {
  /** See line-id.ts. */
  id: string;
  /** Tells lines apart until the store is rebuilt. */
  ordinal: number;
}

/**
 * The start of a page of lines: a line, or a place between two instants (before the first line of `occurredUs`). Lines are in the order
 * of their time, and lines of the same microsecond in the order of arrival. A deleted line stands for its instant. `ordinal` finds a
 * line faster, and tells it from others with the same id. If it is absent or from before a rebuild, the newest line with the id is
 * taken.
 */
export type LogPlace = { id: string; ordinal?: number } | { occurredUs: number };

export interface LogFilter {
  projectIds: ScopedProjectIds;
  /** Inclusive and exclusive bound of their time; milliseconds since 1970. */
  from: number;
  to: number;
  /** None or an empty list: all. */
  environments?: readonly string[];
  where?: Condition;
}

export interface LogPage {
  /** Newest first; with `after`, oldest first. */
  lines: StoredLog[];
  /** Where the next page begins; null: there are no more. */
  next: LogPlace | null;
  /**
   * Instant up to which lines were looked at, because the time was over; milliseconds since 1970. Null: the page is full, or everything
   * was looked at.
   */
  readUpTo: number | null;
}

/** The fields by which lines are counted, besides their severity. */
export const LOG_FACETS = ["service", "logger", "release", "environment", "serverAddress"] as const;
export type LogFacet = (typeof LOG_FACETS)[number];
/** Values of a facet in one answer, the most frequent first. */
export const MAX_FACET_VALUES = 10;

export interface LogSummary {
  /** Only buckets that have lines. `at`: start of the bucket, in milliseconds since 1970. */
  buckets: Array<{ at: number; severity: LogSeverity; count: number }>;
  facets: Record<LogFacet, Array<{ value: string; count: number }>>;
  /** Instant from which lines are counted; later than the filter's `from` if the time was over. */
  countedFrom: number;
}

/** A field of `LOG_VOCABULARY`, or an attribute by its key. */
export interface LogKey {
  name: string;
  isTag: boolean;
  /** Only for `service`: the service of lines that name none, by project. */
  unnamed?: ReadonlyMap<number, string>;
}

export interface LogCountOptions {
  /** None: all lines are one group. */
  by: readonly LogKey[];
  /** Attributes whose numbers are summed, too; at most `MAX_NUMBERS`. */
  numbers?: readonly LogKey[];
  limit: number;
  budgetMs: number;
}

export interface LogGroup {
  /** Values of the keys, in their order; long ones are cut. */
  group: ReadonlyArray<string | null>;
  count: number;
  /** What was asked for, in its order; undefined: no line of the group has such a number. */
  numbers: ReadonlyArray<NumberSum | undefined>;
}

export interface CountedLogs {
  /** The most frequent first. */
  groups: LogGroup[];
  /** See `LogSummary`. */
  countedFrom: number;
}

/** Lines that came long after they say that they were written. */
export interface LateLines {
  count: number;
  /** Milliseconds since 1970; null: there are none. */
  earliest: number | null;
}

/** Logs, as pages read them. */
export interface Logs {
  /** In the order of their time. */
  listTraceLogs(filter: TraceFilter): Promise<TraceLog[]>;
  /**
   * A page of lines before or after a place. Looks at the nearest lines first, in pieces, and ends after the first piece that ends
   * later than `budgetMs`.
   */
  findLogs(
    filter: LogFilter,
    page: { limit: number; budgetMs: number; before?: LogPlace; after?: LogPlace },
  ): Promise<LogPage>;
  /** The lines of journal records in these ranges that came last: the last one first. */
  listNewLogs(
    filter: Omit<LogFilter, "from" | "to">,
    range: { sequences: readonly SequenceRange[]; receivedFrom: number; limit: number },
  ): Promise<StoredLog[]>;
  /** Counts lines by bucket and severity, and by the values of facets. Looks at the newest lines first, in the same way. */
  summarizeLogs(filter: LogFilter, options: { bucketMs: number; budgetMs: number }): Promise<LogSummary>;
  /** Counts lines by the values of keys, in the same way. Of very many groups in a piece of time, only the frequent ones count. */
  countLogs(filter: LogFilter, options: LogCountOptions): Promise<CountedLogs>;
  /** Lines that came from `from` on, more than `lateMs` after their own time, which is before `from`. */
  countLateLines(filter: Omit<LogFilter, "to" | "where">, lateMs: number): Promise<LateLines>;
  /** Null: there is no such line. */
  getLog(projectIds: ScopedProjectIds, id: string): Promise<StoredLog | null>;
  /** Lines of one microsecond, in the order in which they came. */
  listLogsAt(projectIds: ScopedProjectIds, occurredUs: number, limit: number): Promise<StoredLog[]>;
}
