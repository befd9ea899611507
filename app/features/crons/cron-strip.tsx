import type { RunStatus } from "../../domain/monitor.ts";
import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { DayStrip, StripLegend, type StripLook } from "../monitors/day-strip.tsx";
import { sayDowntimes, withDowntimes } from "../monitors/strip-marks.ts";
import { RUN_WORDS } from "./cron-words.ts";

interface Tick {
  at: number;
  status: RunStatus | "late";
  count: number;
}

const TICK_MS = 15 * MINUTE_MS;
const LOOKS: Record<Tick["status"], StripLook> = {
  ok: "good",
  late: "some",
  timeout: "endless",
  error: "bad",
  missed: "missing",
  in_progress: "running",
  unknown: "unknown",
};

/** The runs of 24 hours, with a mark for each quarter of an hour. The mark shows the worst run in it. */
export function CronStrip({
  name,
  ticks,
  downtimes,
  now,
}: {
  name: string;
  ticks: readonly Tick[];
  downtimes: readonly Downtime[];
  now: number;
}) {
  const from = now - DAY_MS;
  const marks = ticks.map(({ at, status, count }) => ({
    from: at,
    to: at + TICK_MS,
    look: LOOKS[status],
    words: `${RUN_WORDS[status].label}${count > 1 ? `, ${count} runs` : ""}`,
  }));
  const summary = [sayTicks(ticks), sayDowntimes(downtimes, from)].filter(Boolean).join(", ");
  return (
    <DayStrip label={`Runs of ${name}`} summary={summary} marks={withDowntimes(marks, downtimes, from)} until={now} />
  );
}

function sayTicks(ticks: readonly Tick[]): string {
  const counts = new Map<string, number>();
  for (const { status, count } of ticks)
    counts.set(RUN_WORDS[status].label, (counts.get(RUN_WORDS[status].label) ?? 0) + count);
  return [...counts].map(([label, count]) => `${count} ${label}`).join(", ") || "none";
}

const LEGEND = (["ok", "late", "timeout", "error", "missed", "unknown"] as const).map(
  (status) => [LOOKS[status], RUN_WORDS[status].label] as const,
);

export function CronLegend() {
  return <StripLegend entries={LEGEND} />;
}
