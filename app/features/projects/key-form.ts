import type { ProjectKey } from "../../domain/project.ts";

export const RATE_LIMIT_WINDOWS = [
  { seconds: 60, label: "minute" },
  { seconds: 3600, label: "hour" },
  { seconds: 86_400, label: "day" },
] as const;

const MAX_RATE_LIMIT_COUNT = 1_000_000_000;

/** Fields `count` (empty: no limit) and `window` in seconds. */
export function parseRateLimitForm(
  form: FormData,
): { ok: true; rateLimit: ProjectKey["rateLimit"] } | { ok: false; error: string } {
  const count = String(form.get("count") ?? "").trim();
  if (count === "") return { ok: true, rateLimit: null };
  if (!/^\d+$/.test(count) || Number(count) < 1 || Number(count) > MAX_RATE_LIMIT_COUNT) {
    return { ok: false, error: "The limit must be a whole number from 1 to 1,000,000,000; empty means no limit." };
  }
  const windowSeconds = Number(form.get("window"));
  if (!RATE_LIMIT_WINDOWS.some(({ seconds }) => seconds === windowSeconds)) {
    return { ok: false, error: "Choose whether the limit is for a minute, an hour or a day." };
  }
  return { ok: true, rateLimit: { count: Number(count), windowSeconds } };
}
