import type { Level } from "../domain/level.ts";

/** The names that SDKs and loggers use for the five levels, lower-case. */
const LEVEL_BY_NAME = new Map<string, Level>([
  ["debug", "debug"],
  ["trace", "debug"],
  ["verbose", "debug"],
  ["info", "info"],
  ["log", "info"],
  ["information", "info"],
  ["notice", "info"],
  ["warning", "warning"],
  ["warn", "warning"],
  ["error", "error"],
  ["err", "error"],
  ["fatal", "fatal"],
  ["critical", "fatal"],
  ["crit", "fatal"],
  ["alert", "fatal"],
  ["emergency", "fatal"],
  // Python's numbers.
  ["10", "debug"],
  ["20", "info"],
  ["30", "warning"],
  ["40", "error"],
  ["50", "fatal"],
]);

/** Null when the value names no level. */
export function parseLevel(value: unknown): Level | null {
  if (typeof value === "string") {
    return LEVEL_BY_NAME.get(value) ?? LEVEL_BY_NAME.get(value.trim().toLowerCase()) ?? null;
  }
  return typeof value === "number" ? (LEVEL_BY_NAME.get(String(value)) ?? null) : null;
}
