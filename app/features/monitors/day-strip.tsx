import { type KeyboardEvent, type MouseEvent, useState } from "react";
import { DAY_MS } from "../../domain/time.ts";
import { useIsHydrated } from "../../ui/clock.tsx";

/** How a mark looks. A worse mark is higher, so that not only the colour shows it. */
export type StripLook = "good" | "running" | "some" | "endless" | "bad" | "missing" | "unknown";

/** A part of the day, and what was seen in it. */
export interface StripMark {
  from: number;
  to: number;
  look: StripLook;
  words: string;
  /** Whether its words name the start and the end, and not only the start. */
  isRange?: boolean;
}

/**
 * The 24 hours before `until` as marks in order of time. The strip is one stop of Tab, and a tap reads a mark. ← and → go from mark to
 * mark, Home and End to the first and the last.
 */
export function DayStrip({
  label,
  summary,
  marks,
  until,
}: {
  label: string;
  /** A summary of all marks. */
  summary: string;
  marks: readonly StripMark[];
  until: number;
}) {
  const [current, setCurrent] = useState<number | null>(null);
  const isHydrated = useIsHydrated();
  const from = until - DAY_MS;
  const place = (at: number) => Math.min(100, Math.max(0, ((at - from) / DAY_MS) * 100));
  const name = `${label} in the last 24 hours: ${summary}`;
  const drawn = marks.map((mark, index) => (
    <span
      key={`${mark.from} ${mark.look}`}
      className="strip-mark"
      data-look={mark.look}
      data-index={index}
      data-current={index === current || undefined}
      title={sayMark(mark, isHydrated)}
      style={{ insetInlineStart: `${place(mark.from)}%`, inlineSize: `${place(mark.to) - place(mark.from)}%` }}
    />
  ));
  if (marks.length === 0)
    return (
      <div className="day-strip">
        <div className="strip-line" role="img" aria-label={name} />
      </div>
    );
  const last = marks.length - 1;
  const press = (event: KeyboardEvent) => {
    const at = current ?? last + 1;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(Math.min(last, Math.max(0, next)));
  };
  const tap = ({ target }: MouseEvent) => {
    const index = target instanceof HTMLElement ? target.dataset.index : undefined;
    if (index !== undefined) setCurrent(Number(index));
  };
  const shown = current === null ? undefined : marks[current];
  const words = shown && sayMark(shown, isHydrated);
  return (
    <div className="day-strip">
      <div
        className="strip-line"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={current ?? last}
        aria-valuetext={words ?? summary}
        onKeyDown={press}
        onClick={tap}
        onBlur={() => setCurrent(null)}
      >
        {drawn}
      </div>
      {words && (
        <span className="strip-words" aria-hidden="true">
          {words}
        </span>
      )}
    </div>
  );
}

/** A mark in words: `02:15: failed`, `13:05 to 13:47: Culprit was down`. Once script runs, times are on the reader's clock. */
function sayMark({ from, to, isRange, words }: StripMark, isHydrated: boolean): string {
  const say = (at: number) =>
    new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      ...(isHydrated ? {} : { timeZone: "UTC" }),
    }).format(at);
  const time = isRange ? `${say(from)} to ${say(to)}` : say(from);
  return `${time}${isHydrated ? "" : " UTC"}: ${words}`;
}

export function StripLegend({ entries }: { entries: ReadonlyArray<readonly [look: StripLook, words: string]> }) {
  return (
    <ul className="strip-legend" aria-label="What the marks mean">
      {entries.map(([look, words]) => (
        <li key={words}>
          <span className="strip-mark" data-look={look} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}
