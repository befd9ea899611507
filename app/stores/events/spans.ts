import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { TypedValue } from "../../domain/spans/typed-attributes.ts";

/**
 * How a span was sent. `root`: the span of a transaction, whose whole event (without its spans) is a payload. `v1`: a span of a
 * transaction, or one that came alone. `v2`: a span of a container.
 */
export type SpanForm = "root" | "v1" | "v2";

/** A span, lossless with its attributes and its rest. Times are microseconds since 1970 by the server's clock. */
export interface SpanRow {
  /** Sequence of its journal record. */
  sequence: number;
  projectId: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** The kind of item that it came with, which decides how long it is kept. */
  category: "transaction" | "span" | "uptime";
  form: SpanForm;
  /** 32 lower-case hex characters. */
  traceId: string;
  /** 16 lower-case hex characters, as the two below. */
  spanId: string;
  parentSpanId: string | null;
  segmentId: string | null;
  isSegment: boolean;
  startedUs: number;
  durationUs: number;
  /** Microseconds by which the times were moved, because the sender's clock was wrong. Null: they are as sent. */
  shiftUs: number | null;
  op: string | null;
  name: string | null;
  /** See `toNameGroup`. */
  nameGroup: string | null;
  /** As sent: `ok`, `error`, `not_found`, … */
  status: string | null;
  kind: string | null;
  origin: string | null;
  /** Name of the segment: the transaction, the page load. */
  segment: string | null;
  /** The group of the segment if it is not that of `segment`. Only written. */
  segmentGroup?: string | undefined;
  release: string | null;
  environment: string | null;
  /** Share of traces that the SDK keeps, above 0 and at most 1; null: not said. A span stands for `1 / sampleRate`. */
  sampleRate: number | null;
  service: string | null;
  sdkName: string | null;
  sdkVersion: string | null;
  /** In the order of `TYPED_ATTRIBUTES`. */
  typed: readonly TypedValue[];
  /** JSON of the attributes that have no column; null: it was sent without attributes. */
  attributes: string | null;
  /** JSON of the fields that have no column; null: there are none. */
  rest: string | null;
  /** JSON of the context that it was sent with: `sdk`, `request`, `container`. Null: the payload of the transaction has it. */
  resource: string | null;
}

/** A span as searches see it. */
export interface ListedSpan extends SpanRow {
  /** It has the beginning of long texts alone: see `MAX_TEXT_BYTES`. */
  isShortened?: true;
}

/** Which spans or logs of a trace. */
export interface TraceFilter {
  projectIds: ScopedProjectIds;
  /** 32 lower-case hex characters. */
  traceId: string;
  /** The number of rows at most: the oldest, or with `near` the nearest. */
  limit: number;
  /** Only rows in this range. If there are more than `limit`, those nearest to `atUs`. */
  near?: TimeNear;
}

/** Microseconds since 1970; both ends of the range are in it. */
export interface TimeNear {
  atUs: number;
  fromUs: number;
  toUs: number;
}

/** Spans, as pages read them. */
export interface Spans {
  /** In the order of their begin. */
  listSpans(filter: TraceFilter): Promise<ListedSpan[]>;
}
