import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";
import type { TraceSpans } from "../../domain/traces/trace-spans.ts";
import type { TraceLog } from "./logs.ts";
import type { SpanRow, TraceFilter } from "./spans.ts";

/** A span that links to another one. */
export interface LinkingSpan {
  /** 32 and 16 lower-case hex characters. */
  traceId: string;
  spanId: string;
  op: string | null;
  name: string | null;
}

/** Log lines of a trace that came from so long before its first span to so long after its last one; without spans, all of its lines. */
export interface LinesAround {
  aroundUs: number;
  /** The number of spans at most: those nearest to the start of the first span. */
  limit: number;
}

/** The spans of one trace as a tree needs them. */
export interface Traces {
  /** Spans by their start. The service of a span that names none is the empty text. */
  readTraceSpans(filter: TraceFilter): Promise<TraceSpans>;
  /** The same with log lines beside them: see `LinesAround`. */
  readTrace(filter: Omit<TraceFilter, "near">, lines: LinesAround): Promise<{ spans: TraceSpans; logs: TraceLog[] }>;
  /**
   * Ordinals of those that match, at most `limit`, in no order.
   *
   * @param where in the fields of `SPAN_VOCABULARY`; `projectId` in place of `project`
   */
  findTraceSpans(filter: Omit<TraceFilter, "near">, where: Condition): Promise<Float64Array>;
  /**
   * Spans that name this one in their links, at most 20, the oldest first: of those stored from shortly before it to some time after it.
   *
   * @param ordinal of the span that is linked to
   */
  findLinkingSpans(projectIds: ScopedProjectIds, linked: { spanId: string; ordinal: number }): Promise<LinkingSpan[]>;
  /** One of them, by the ordinal that `TraceSpans` has; null when there is none. */
  readSpan(filter: Omit<TraceFilter, "limit" | "near">, ordinal: number): Promise<SpanRow | null>;
}
