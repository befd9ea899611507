import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { DAY_MS } from "../../domain/time.ts";
import { DayStrip, StripLegend, type StripLook, type StripMark } from "../monitors/day-strip.tsx";
import { sayDowntimes, withDowntimes } from "../monitors/strip-marks.ts";
import type { Tick } from "./uptime-words.ts";

const LOOKS: Record<Tick["kind"], StripLook> = { up: "good", some: "some", down: "bad", unknown: "unknown" };

/** The checks of 24 hours, with a mark for each quarter of an hour. Neighbouring quarters without checks are one mark. */
export function UptimeStrip({
  ticks,
  name,
  downtimes,
  until,
}: {
  ticks: readonly Tick[];
  name: string;
  downtimes: readonly Downtime[];
  /** The end of the last tick. */
  until: number;
}) {
  const from = until - DAY_MS;
  const marks: StripMark[] = [];
  for (const { at, kind, words } of ticks) {
    const to = at + DAY_MS / ticks.length;
    const before = marks.at(-1);
    if (kind === "unknown" && before?.look === "unknown") Object.assign(before, { to, isRange: true });
    else marks.push({ from: at, to, look: LOOKS[kind], words });
  }
  const failed = ticks.filter(({ kind }) => kind === "down" || kind === "some").length;
  const unknown = ticks.filter(({ kind }) => kind === "unknown").length;
  const summary = [
    failed === 0 ? "no check failed" : `checks failed in ${failed} ${failed === 1 ? "quarter" : "quarters"} of an hour`,
    unknown > 0 && `${unknown} not checked`,
    sayDowntimes(downtimes, from),
  ];
  return (
    <DayStrip
      label={`Checks of ${name}`}
      summary={summary.filter(Boolean).join(", ")}
      marks={withDowntimes(marks, downtimes, from)}
      until={until}
    />
  );
}

const LEGEND: ReadonlyArray<readonly [StripLook, string]> = [
  ["good", "all well"],
  ["some", "some checks failed"],
  ["bad", "all checks failed"],
  ["unknown", "not checked"],
];

export function UptimeLegend() {
  return <StripLegend entries={LEGEND} />;
}
