import { type KeyboardEvent, useState } from "react";
import type { RunStatus } from "../../domain/monitor.ts";
import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { DAY_MS } from "../../domain/time.ts";
import { useIsHydrated } from "../../ui/clock.tsx";
import { RUN_WORDS } from "./cron-words.ts";

interface Tick {
  at: number;
  status: RunStatus | "late";
  count: number;
}

/** The runs of 24 hours, a tick for each quarter of an hour. One stop of Tab; the arrow keys read tick by tick. */
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
  const isHydrated = useIsHydrated();
  const [current, setCurrent] = useState<number | null>(null);
  const from = now - DAY_MS;
  const place = (at: number) => `${Math.min(100, Math.max(0, ((at - from) / DAY_MS) * 100))}%`;
  const say = ({ at, status, count }: Tick) => {
    const time = new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      ...(isHydrated ? {} : { timeZone: "UTC" }),
    }).format(at);
    return `${time}${isHydrated ? "" : " UTC"}: ${RUN_WORDS[status].label}${count > 1 ? `, ${count} runs` : ""}`;
  };
  const shown = current === null ? undefined : ticks[current];
  const press = (event: KeyboardEvent) => {
    const last = ticks.length - 1;
    const at = current ?? last + 1;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(Math.min(last, Math.max(0, next)));
  };
  const summary = sayTicks(ticks);
  const marks = (
    <>
      {downtimes.map(({ from: start, to }) => (
        <span
          key={start}
          className="cron-down"
          title="Culprit was down"
          style={{ insetInlineStart: place(start), inlineSize: `${((to - Math.max(start, from)) / DAY_MS) * 100}%` }}
        />
      ))}
      {ticks.map((tick, index) => (
        <span
          key={tick.at}
          className="cron-tick"
          data-status={tick.status}
          data-current={index === current || undefined}
          title={say(tick)}
          style={{ insetInlineStart: place(tick.at) }}
        />
      ))}
    </>
  );
  if (ticks.length === 0)
    return (
      <div className="cron-strip">
        <div className="cron-ticks" role="img" aria-label={`Runs of ${name} in the last 24 hours: none`}>
          {marks}
        </div>
      </div>
    );
  return (
    <div className="cron-strip">
      <div
        className="cron-ticks"
        role="slider"
        tabIndex={0}
        aria-label={`Runs of ${name} in the last 24 hours: ${summary}`}
        aria-valuemin={0}
        aria-valuemax={ticks.length - 1}
        aria-valuenow={current ?? ticks.length - 1}
        aria-valuetext={shown ? say(shown) : summary}
        onKeyDown={press}
        onBlur={() => setCurrent(null)}
      >
        {marks}
      </div>
      {shown && (
        <span className="cron-strip-words" aria-hidden="true">
          {say(shown)}
        </span>
      )}
    </div>
  );
}

function sayTicks(ticks: readonly Tick[]): string {
  const counts = new Map<string, number>();
  for (const { status, count } of ticks)
    counts.set(RUN_WORDS[status].label, (counts.get(RUN_WORDS[status].label) ?? 0) + count);
  return [...counts].map(([label, count]) => `${count} ${label}`).join(", ");
}

const LEGEND: ReadonlyArray<RunStatus | "late"> = ["ok", "late", "timeout", "error", "missed", "unknown"];

export function CronLegend() {
  return (
    <ul className="cron-legend" aria-label="What the ticks mean">
      {LEGEND.map((status) => (
        <li key={status}>
          <span className="cron-tick" data-status={status} aria-hidden="true" />
          {RUN_WORDS[status].label}
        </li>
      ))}
    </ul>
  );
}
