/** Larger numbers cannot be seconds that anyone means (the year 5138): they are milliseconds by mistake. */
const MAX_SECONDS = 1e11;

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const NUMBER = /^[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?$/;

/**
 * An instant as SDKs write it, in seconds since 1970 with microseconds kept: a number, a numeric string, RFC 3339 with
 * any offset form, or without one, which means UTC. Null when it is none of these, or before 1970, or beyond what
 * milliseconds written by mistake explain.
 */
export function parseTimestampSeconds(value: unknown): number | null {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string" || value.length > 64) return null;
  const text = value.trim();
  if (NUMBER.test(text)) return fromNumber(Number(text));
  return fromDateTime(text);
}

/** As `parseTimestampSeconds`, in whole milliseconds since 1970. */
export function parseTimestampMs(value: unknown): number | null {
  const seconds = parseTimestampSeconds(value);
  return seconds === null ? null : Math.round(seconds * 1000);
}

function fromNumber(value: number): number | null {
  const seconds = value > MAX_SECONDS ? value / 1000 : value;
  // The comparison is false for NaN as well.
  return seconds >= 0 && seconds <= MAX_SECONDS ? seconds : null;
}

function fromDateTime(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction, offset] = match;
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(days);
  // A day that does not exist would silently become another one.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  // 60 is the leap second: it becomes the first second of the next minute.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const offsetMinutes = parseOffsetMinutes(offset);
  if (offsetMinutes === null) return null;
  const whole = days / 1000 + Number(hour) * 3600 + (Number(minute) - offsetMinutes) * 60 + Number(second);
  const seconds = fraction === undefined ? whole : Number(`${whole}.${fraction}`);
  return whole >= 0 && seconds <= MAX_SECONDS ? seconds : null;
}

function parseOffsetMinutes(offset: string | undefined): number | null {
  if (offset === undefined || offset === "Z" || offset === "z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
