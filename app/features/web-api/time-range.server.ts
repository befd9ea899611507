import { refusal } from "./answers.server.ts";

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `24h`, `14d`, `30m`, `2w` in milliseconds; null when it is not one. A bare number is seconds. */
export function parsePeriod(text: string): number | null {
  const match = /^(\d{1,6})([smhdw]?)$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * UNIT_MS[(match[2] || "s") as keyof typeof UNIT_MS];
}

/**
 * `statsPeriod`, or `start` and `end` (RFC 3339; without a zone they are UTC).
 * @throws a 400 answer that names the parameter.
 */
export function readTimeRange(url: URL, now: number, fallbackMs: number): { from: number; to: number } {
  const period = url.searchParams.get("statsPeriod");
  if (period) {
    const periodMs = parsePeriod(period);
    if (!periodMs) throw refusal(400, `statsPeriod must be like 24h or 14d, not "${period.slice(0, 40)}"`);
    return { from: now - periodMs, to: now };
  }
  const start = readInstant(url, "start");
  const end = readInstant(url, "end");
  const to = end ?? now;
  const from = start ?? to - fallbackMs;
  if (from >= to) throw refusal(400, "start must be before end");
  return { from, to };
}

function readInstant(url: URL, name: "start" | "end"): number | null {
  const text = url.searchParams.get(name);
  if (!text) return null;
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text);
  const instant = Date.parse(hasZone ? text : `${text}${text.includes("T") ? "" : "T00:00:00"}Z`);
  if (Number.isNaN(instant))
    throw refusal(400, `${name} must be a date and time of RFC 3339, not "${text.slice(0, 40)}"`);
  return instant;
}
