import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time.ts";

const DURATION_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  min: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const SIZE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
const COUNT_UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, b: 1e9 };

/** `500ms`, `2s`, `1.5h`: milliseconds. Null for other text, also without a unit. */
export function readDuration(text: string): number | null {
  return readWithUnit(text, DURATION_UNITS);
}

/** `10MB`, `4KiB`; without a unit bytes. */
export function readSize(text: string): number | null {
  return readWithUnit(/^[\d.]+$/.test(text) ? `${text}b` : text, SIZE_UNITS);
}

/** `5%` and `0.05` are the same. */
export function readPercentage(text: string): number | null {
  const [, percent] = /^(-?\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  return percent !== undefined ? Number(percent) / 100 : readCount(text);
}

/** `100`, `1.5k`. */
export function readCount(text: string): number | null {
  return readWithUnit(text, COUNT_UNITS);
}

function readWithUnit(text: string, units: Readonly<Record<string, number>>): number | null {
  const [, digits, unit = ""] = /^(-?\d{1,15}(?:\.\d{1,9})?)(\D*)$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}

/** A stretch of time that a text names: milliseconds since 1970, the end exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

const ISO = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?)?$/i;

/** `2026-05` is a month, `2026-05-20` a day, `2026-05-20T12:30` a minute; UTC unless it says otherwise. Null for other text. */
export function readInstant(text: string): Stretch | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const [y, m, d] = [Number(year), Number(month), Number(day ?? "1")];
  const base = Date.UTC(y, m - 1, d);
  const date = new Date(base);
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return null;
  if (day === undefined) return { from: base, to: Date.UTC(y, m, 1) };
  if (hour === undefined) return { from: base, to: base + DAY_MS };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return null;
  const milliseconds = Number((fraction ?? "").padEnd(3, "0"));
  const from =
    base +
    Number(hour) * HOUR_MS +
    Number(minute) * MINUTE_MS +
    Number(second ?? 0) * SECOND_MS +
    milliseconds -
    toOffset(zone);
  return { from, to: from + (fraction !== undefined ? 1 : second !== undefined ? SECOND_MS : MINUTE_MS) };
}

function toOffset(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? "") ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
}

/** 32 hexadecimal digits in lower case, from a text with or without hyphens. Null for any other text. */
export function readId(text: string): string | null {
  const id = text.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
