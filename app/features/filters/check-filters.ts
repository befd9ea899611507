import { FILTER_LIMITS } from "../../domain/filters/filter-settings.ts";
import { readIpRange } from "../../domain/filters/ip-ranges.ts";

export type CheckedList = { ok: true; list: string[] } | { ok: false; message: string };

/** The lines of a text, each once, without blank lines. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}

/** Checks patterns in which `*` stands for any text. */
export function checkPatterns(patterns: readonly string[], what: string): CheckedList {
  if (patterns.length > FILTER_LIMITS.patterns)
    return {
      ok: false,
      message: `A project has at most ${FILTER_LIMITS.patterns} ${what}; these are ${patterns.length}.`,
    };
  const long = patterns.find(({ length }) => length > FILTER_LIMITS.patternChars);
  if (long !== undefined)
    return { ok: false, message: `“${long.slice(0, 40)}…” has more than ${FILTER_LIMITS.patternChars} characters.` };
  const all = patterns.find((pattern) => /^\**$/.test(pattern));
  if (all !== undefined) return { ok: false, message: `“${all}” would take every event.` };
  return { ok: true, list: [...patterns] };
}

export function checkAddresses(addresses: readonly string[]): CheckedList {
  if (addresses.length > FILTER_LIMITS.addresses)
    return {
      ok: false,
      message: `A project has at most ${FILTER_LIMITS.addresses} addresses; these are ${addresses.length}.`,
    };
  const wrong = addresses.find((address) => readIpRange(address) === null);
  if (wrong !== undefined)
    return {
      ok: false,
      message: `“${wrong.slice(0, 60)}” is no address and no range. Write 192.0.2.7 or 192.0.2.0/24.`,
    };
  return { ok: true, list: [...addresses] };
}
