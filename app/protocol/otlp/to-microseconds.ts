import { cleanText } from "./attributes.ts";

/** The year 2255: from there on, microseconds are no longer exact. */
const MAX_MICROSECONDS = 9e15;

/** Nanoseconds, as a number or as text, to microseconds since 1970. Null for zero, which means unknown, and for an invalid time. */
export function toMicroseconds(nanoseconds: unknown): number | null {
  if (typeof nanoseconds === "number") return inRange(Math.floor(nanoseconds / 1000));
  if (typeof nanoseconds !== "string") return null;
  const digits = cleanText(nanoseconds);
  return /^\d{1,20}$/.test(digits) ? inRange(Number(digits.slice(0, -3))) : null;
}

function inRange(microseconds: number): number | null {
  return microseconds > 0 && microseconds <= MAX_MICROSECONDS ? microseconds : null;
}
