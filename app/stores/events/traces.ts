import type { TraceSpans } from "../../domain/traces/trace-spans.ts";
import type { SpanRow, TraceFilter } from "./spans.ts";

/** The spans of one trace as a tree needs them. */
export interface Traces {
  /** By their begin. The service of a span that names none is the empty text. */
  readTraceSpans(filter: TraceFilter): Promise<TraceSpans>;
  /** One of them, by the ordinal that `TraceSpans` has; null when there is none. */
  readSpan(filter: Omit<TraceFilter, "limit" | "near">, ordinal: number): Promise<SpanRow | null>;
}
