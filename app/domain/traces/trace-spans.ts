/** Values that several spans of a trace share. */
export interface SpanKind {
  projectId: number;
  /** The program that sent it: its service, or its project where it names none. */
  service: string;
  op: string | null;
  name: string | null;
  status: string | null;
  httpStatus: number | null;
}

/**
 * The spans of a trace, by start, in columns: a trace of a million spans takes a hundred megabytes. Two spans may have the same id.
 * Then the first is the parent of the spans that name it.
 */
export interface TraceSpans {
  readonly count: number;
  /** Place of the row in its table. */
  readonly ordinals: Float64Array;
  readonly ids: BigUint64Array;
  /** 0: none was sent. */
  readonly parentIds: BigUint64Array;
  /** Microseconds since 1970, by the server's clock. */
  readonly startedUs: Float64Array;
  readonly durationUs: Float64Array;
  /** Index into `kinds`. */
  readonly kindOf: Uint32Array;
  readonly kinds: readonly SpanKind[];
  /** When the last of the spans arrived, in milliseconds since 1970. Null: there are no spans. */
  readonly arrivedAt: number | null;
}

/** A span as a store reads it. */
export interface ReadSpan extends SpanKind {
  ordinal: number;
  id: bigint;
  parentId: bigint | null;
  startedUs: number;
  durationUs: number;
}

/**
 * @param read `count` spans by start; among spans that began at the same moment, the longer first
 * @param arrivedAt see `TraceSpans`
 */
export function toTraceSpans(count: number, read: Iterable<ReadSpan>, arrivedAt: number | null = null): TraceSpans {
  const columns = {
    ordinals: new Float64Array(count),
    ids: new BigUint64Array(count),
    parentIds: new BigUint64Array(count),
    startedUs: new Float64Array(count),
    durationUs: new Float64Array(count),
    kindOf: new Uint32Array(count),
  };
  const kinds: SpanKind[] = [];
  const known = new Map<string, number>();
  let index = 0;
  for (const span of read) {
    columns.ordinals[index] = span.ordinal;
    columns.ids[index] = span.id;
    columns.parentIds[index] = span.parentId ?? 0n;
    columns.startedUs[index] = span.startedUs;
    columns.durationUs[index] = span.durationUs;
    const { projectId, service, op, name, status, httpStatus } = span;
    const key = JSON.stringify([projectId, service, op, name, status, httpStatus]);
    let kind = known.get(key);
    if (kind === undefined) {
      kind = kinds.push({ projectId, service, op, name, status, httpStatus }) - 1;
      known.set(key, kind);
    }
    columns.kindOf[index++] = kind;
  }
  return { count, kinds, arrivedAt, ...columns };
}

export function kindOf(spans: TraceSpans, index: number): SpanKind {
  return spans.kinds[spans.kindOf[index] as number] as SpanKind;
}

/** 16 hex characters, as SDKs write it. */
export function spanIdOf(spans: TraceSpans, index: number): string {
  return (spans.ids[index] as bigint).toString(16).padStart(16, "0");
}

const FINE = new Set(["ok", "unset", "cancelled"]);

export function isFailed({ status, httpStatus }: Pick<SpanKind, "status" | "httpStatus">): boolean {
  if (httpStatus !== null && httpStatus >= 500) return true;
  return status !== null && status !== "" && !FINE.has(status);
}
