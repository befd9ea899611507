import { type KeyboardEvent, useState } from "react";
import type { Tick } from "./uptime-words.ts";

const HEIGHTS = { up: 9, some: 13, down: 18, unknown: 18 } as const;
const STEP = 3;
const HEIGHT = 20;

/**
 * A tick for each quarter of an hour. What failed is higher as well as red, and a time without checks is hatched. One stop of Tab;
 * ← and → read tick by tick.
 */
export function UptimeStrip({ ticks, name }: { ticks: readonly Tick[]; name: string }) {
  const [read, setRead] = useState<number | null>(null);
  const failed = ticks.filter(({ kind }) => kind === "down" || kind === "some").length;
  const unknown = ticks.filter(({ kind }) => kind === "unknown").length;
  const summary = `${name}, last 24 hours: ${failed === 0 ? "no check failed" : `checks failed in ${failed} quarters of an hour`}${unknown > 0 ? `, ${unknown} not checked` : ""}`;
  const tick = read === null ? undefined : ticks[read];
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    setRead((at) => Math.min(ticks.length - 1, Math.max(0, (at ?? ticks.length) + by)));
  };
  return (
    <div className="uptime-strip">
      <div
        role="slider"
        tabIndex={0}
        aria-label={summary}
        aria-valuemin={0}
        aria-valuemax={ticks.length - 1}
        aria-valuenow={read ?? ticks.length - 1}
        aria-valuetext={tick ? sayTick(tick) : summary}
        onKeyDown={move}
        onBlur={() => setRead(null)}
      >
        <svg viewBox={`0 0 ${ticks.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {ticks.map((each, index) => (
            <rect
              key={each.at}
              className="uptime-tick"
              data-kind={each.kind}
              data-read={index === read || undefined}
              x={index * STEP}
              y={HEIGHT - HEIGHTS[each.kind]}
              width={STEP - 1}
              height={HEIGHTS[each.kind]}
            >
              <title>{sayTick(each)}</title>
            </rect>
          ))}
        </svg>
      </div>
      {tick && <p className="uptime-read">{sayTick(tick)}</p>}
    </div>
  );
}

function sayTick({ at, words }: Tick): string {
  return `${new Date(at).toISOString().slice(11, 16)} UTC: ${words}`;
}
