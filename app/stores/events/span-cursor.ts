/** A place in a list of spans. */
export interface SpanCursor {
  /** What the list is sorted by: when the span began, or how long it took, in microseconds. */
  value: number;
  ordinal: number;
}

export function encodeSpanCursor({ value, ordinal }: SpanCursor): string {
  return `${value}-${ordinal}`;
}

/** Null when it is not a cursor: it comes from a URL. */
export function parseSpanCursor(text: string | null): SpanCursor | null {
  const [, value, ordinal] = /^(\d{1,16})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return value === undefined ? null : { value: Number(value), ordinal: Number(ordinal) };
}
