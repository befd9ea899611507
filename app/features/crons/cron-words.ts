import type { MonitorState, RunStatus } from "../../domain/monitor.ts";

export type ShownState = MonitorState | "paused";
/** Zones that are tried first if several fit equally well. */
export const COMMON_ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Bangkok"] as const;
export type Tone = "error" | "warning" | "resolved" | "neutral";

/** A state in one word, and its tone. */
export const STATE_WORDS: Record<ShownState, { label: string; tone: Tone }> = {
  error: { label: "Failed", tone: "error" },
  timeout: { label: "Timed out", tone: "error" },
  missed: { label: "Missed", tone: "error" },
  late: { label: "Late", tone: "warning" },
  waiting: { label: "Waiting", tone: "neutral" },
  ok: { label: "Fine", tone: "resolved" },
  paused: { label: "Paused", tone: "neutral" },
};

export const RUN_WORDS: Record<RunStatus | "late", { label: string; tone: Tone }> = {
  ok: { label: "fine", tone: "resolved" },
  late: { label: "late", tone: "warning" },
  error: { label: "failed", tone: "error" },
  timeout: { label: "timed out", tone: "error" },
  missed: { label: "missed", tone: "error" },
  in_progress: { label: "running", tone: "neutral" },
  unknown: { label: "unknown", tone: "neutral" },
};

export function sayDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return `${Math.round(ms)} ms`;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A difference between zones: “7 h”, “30 min”, “5 h 45 min”. */
export function sayOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}

/** A distance in time from now: “in 14 min”, “20 s ago”. */
export function sayDistance(ms: number): string {
  const rounded = Math.abs(ms) < 60_000 ? `${Math.round(Math.abs(ms) / 1000)} s` : sayCoarse(Math.abs(ms));
  return ms >= 0 ? `in ${rounded}` : `${rounded} ago`;
}

function sayCoarse(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ""}`;
  const days = Math.round(minutes / 60 / 24);
  return `${days} ${days === 1 ? "day" : "days"}`;
}

/** An instant on the clocks of a zone: “Tue 24 Nov, 02:00”. */
export function sayInZone(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(at);
}

export function toCronPath(project: string, slug: string): string {
  return `/crons/${encodeURIComponent(project)}/${encodeURIComponent(slug)}`;
}
