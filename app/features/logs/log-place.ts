import type { LogPlace } from "../../stores/events/logs.ts";

// Places in lists of lines in addresses: `<id>.<ordinal>`, or `t` and microseconds since 1970.

export function printPlace(place: LogPlace): string {
  if (!("id" in place)) return `t${place.occurredUs}`;
  return place.ordinal === undefined ? place.id : `${place.id}.${place.ordinal}`;
}

export function isLineId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Null: the text is not a place. */
export function readPlace(text: string | null): LogPlace | null {
  const [, id, ordinal] = /^([0-9a-f]{32})(?:\.(\d{1,15}))?$/.exec(text ?? "") ?? [];
  if (id !== undefined) return { id, ...(ordinal !== undefined && { ordinal: Number(ordinal) }) };
  const [, occurredUs] = /^t(\d{1,16})$/.exec(text ?? "") ?? [];
  if (occurredUs !== undefined) return toInstant(Number(occurredUs));
  const old = readOldLine(text);
  // One microsecond later, so that lines of the instant itself are included.
  return old && toInstant(old.occurredUs + 1);
}

/** A line in links from before lines had ids: its time, and a number that changed with a rebuild. */
export interface OldLine {
  occurredUs: number;
  ordinal: number;
}

/** Null: it is not such a link. */
export function readOldLine(text: string | null): OldLine | null {
  const [, occurredUs, ordinal] = /^(\d{1,16})\.(\d{1,16})$/.exec(text ?? "") ?? [];
  if (occurredUs === undefined || ordinal === undefined) return null;
  const line = { occurredUs: Number(occurredUs), ordinal: Number(ordinal) };
  return Number.isSafeInteger(line.occurredUs) && Number.isSafeInteger(line.ordinal) ? line : null;
}

function toInstant(occurredUs: number): LogPlace | null {
  return Number.isSafeInteger(occurredUs) ? { occurredUs } : null;
}
