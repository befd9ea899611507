import type { LogPlace } from "../../stores/events/logs.ts";

// Places in lists of lines, as addresses have them: `<id>.<ordinal>`, or `t` and microseconds since 1970.

export function printPlace(place: LogPlace): string {
  if (!("id" in place)) return `t${place.occurredUs}`;
  return place.ordinal === undefined ? place.id : `${place.id}.${place.ordinal}`;
}

export function isLineId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Null: it is no place. */
export function readPlace(text: string | null): LogPlace | null {
  const [, id, ordinal] = /^([0-9a-f]{32})(?:\.(\d{1,15}))?$/.exec(text ?? "") ?? [];
  if (id !== undefined) return { id, ...(ordinal !== undefined && { ordinal: Number(ordinal) }) };
  const [, occurredUs] = /^t(\d{1,16})$/.exec(text ?? "") ?? [];
  if (occurredUs !== undefined) return toInstant(Number(occurredUs));
  const old = readOldLine(text);
  // Lines of the instant itself come with it.
  return old && toInstant(old.occurredUs + 1);
}

/** As links named lines before they had ids: by time and by a number that a rebuild changed. */
export interface OldLine {
  occurredUs: number;
  ordinal: number;
}

/** Null: it is no such link. */
export function readOldLine(text: string | null): OldLine | null {
  const [, occurredUs, ordinal] = /^(\d{1,16})\.(\d{1,16})$/.exec(text ?? "") ?? [];
  if (occurredUs === undefined || ordinal === undefined) return null;
  const line = { occurredUs: Number(occurredUs), ordinal: Number(ordinal) };
  return Number.isSafeInteger(line.occurredUs) && Number.isSafeInteger(line.ordinal) ? line : null;
}

function toInstant(occurredUs: number): LogPlace | null {
  return Number.isSafeInteger(occurredUs) ? { occurredUs } : null;
}
