/** Larger numbers cannot be seconds that anyone means (the year 5138): they are milliseconds by mistake. */
const MAX_SECONDS = 1e11;

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const NUMBER = /^[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?$/;

/**
 * Parses an instant in a format of SDKs, in seconds since 1970 with microseconds: a number, a numeric string, or RFC 3339 with any form of
 * offset; without an offset it is UTC. Null for other values, for times before 1970, and for numbers too large even for milliseconds that
 * were sent by mistake.
 */
export function parseTimestampSeconds(value: unknown): number | null {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string" || value.length > 64) return null;
  const known = fromIsoString(value);
  if (known !== null) return known;
  const text = value.trim();
  if (NUMBER.test(text)) return fromNumber(Number(text));
  return fromDateTime(text);
}

/** `parseTimestampSeconds` in whole milliseconds since 1970. */
export function parseTimestampMs(value: unknown): number | null {
  const seconds = parseTimestampSeconds(value);
  return seconds === null ? null : Math.round(seconds * 1000);
}

/**
 * Parses the format of `Date`, which most SDKs write: `2026-05-20T12:34:56.789Z`. Null: it has another format, or its day may not exist in
 * its month.
 */
function fromIsoString(text: string): number | null {
  if (text.length !== 24 || text[4] !== "-" || text[7] !== "-" || text[10] !== "T") return null;
  if (text[13] !== ":" || text[16] !== ":" || text[19] !== "." || text[23] !== "Z") return null;
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  const ms = digitsAt(text, 20, 3);
  const isDay = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  // False for NaN as well.
  if (!isDay || !(hour <= 23 && minute <= 59 && second <= 59 && ms <= 999)) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms) / 1000;
}

/** NaN: not all of them are digits. */
function digitsAt(text: string, start: number, count: number): number {
  let number = 0;
  for (let at = start; at < start + count; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
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
  // `Date` silently turns a day that does not exist into another one.
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
