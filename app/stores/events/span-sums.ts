import type { ScopedProjectIds } from "../../domain/scope.ts";

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
