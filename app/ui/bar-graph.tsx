import type { CSSProperties } from "react";
import { useIsHydrated } from "./clock.tsx";
import { formatCount } from "./count.tsx";
import { listTicks } from "./graph-ticks.ts";

export interface BarSeries {
  label: string;
  /** A class that fills: `fill-error`. The first series lies at the bottom. */
  fillClassName: string;
}

export interface BarBucket {
  /** Start, in milliseconds since 1970. */
  at: number;
  /** One number per series. */
  values: readonly number[];
}

const DAY_MS = 86_400_000;
/** Units of the view box: a bucket is this wide, its bar a little narrower. */
const STEP = 10;
const HEIGHT = 100;

/** Counts over time as stacked bars: own SVG, in the first HTML, readable by pointing and by screen readers. */
export function BarGraph({
  label,
  unit,
  series,
  buckets,
  bucketMs,
  line,
  markers = [],
  total: givenTotal,
  heightClassName = "h-28",
}: {
  /** The title: `Events over the last 14 days`. Totals are added. */
  label: string;
  /** Plural: `events`. */
  unit: string;
  series: readonly BarSeries[];
  buckets: readonly BarBucket[];
  bucketMs: number;
  /** One number per bucket, drawn as a line on the scale of the bars. The label is a plural: `users`. */
  line?: { label: string; strokeClassName: string; values: readonly number[] };
  /** Things that happened: releases, a change of status. */
  markers?: ReadonlyArray<{ at: number; label: string }>;
  /** The total of all buckets, if it is not their sum: the same user may be in several. */
  total?: number;
  heightClassName?: string;
}) {
  const isHydrated = useIsHydrated();
  const first = buckets[0];
  if (!first) return null;
  const span = buckets.length * bucketMs;
  const sums = buckets.map((bucket) => bucket.values.reduce((sum, value) => sum + value, 0));
  const most = niceCeiling(Math.max(1, ...sums, ...(line?.values ?? [])));
  const total = givenTotal ?? sums.reduce((sum, value) => sum + value, 0);
  const width = buckets.length * STEP;
  const gap = buckets.length > 60 ? 1 : 2;
  const marks = joinMarkers(markers, first.at, span);

  return (
    <figure className="bar-graph" aria-label={`${label}: ${countOf(total, unit)}`}>
      <span className="bar-graph-most" aria-hidden="true">
        {formatCount(most)}
      </span>
      <div className={`bar-graph-plot ${heightClassName}`}>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="bar-graph-bars"
        >
          {series.map((one, index) => (
            <path
              key={one.label}
              className={one.fillClassName}
              d={barsOf(buckets, index, most, gap)}
              shapeRendering="crispEdges"
            />
          ))}
          {line && (
            <path
              className={`bar-graph-line ${line.strokeClassName}`}
              d={`M${line.values.map((value, index) => `${(index + 0.5) * STEP} ${round(HEIGHT - (value / most) * HEIGHT)}`).join("L")}`}
            />
          )}
          {buckets.map((bucket, index) => (
            <rect
              key={bucket.at}
              className="bar-graph-hit"
              x={index * STEP}
              width={STEP}
              height={HEIGHT}
              data-tip={tipOf(
                bucket,
                series,
                unit,
                `${line ? `${countOf(line.values[index] ?? 0, line.label)}\n` : ""}${formatBucket(bucket.at, bucketMs, isHydrated)}`,
              )}
              data-tip-at-once=""
            />
          ))}
        </svg>
        {marks.map((mark) => (
          <span
            key={mark.at}
            aria-hidden="true"
            className="bar-graph-marker"
            style={{ left: `${((mark.at - first.at) / span) * 100}%` }}
            data-tip={`${mark.labels.join("\n")}\n${formatBucket(mark.at, 0, isHydrated)}`}
            data-tip-at-once=""
          />
        ))}
      </div>
      {marks.length > 0 && (
        <ul className="sr-only">
          {marks.map((mark) => (
            <li key={mark.at}>
              {formatBucket(mark.at, 0, isHydrated)}: {mark.labels.join(", ")}
            </li>
          ))}
        </ul>
      )}
      <div className="bar-graph-ticks" aria-hidden="true">
        {listTicks(first.at, span, isHydrated).map(({ at, isDay }) => (
          <span key={at} style={{ "--at": ((at - first.at) / span) * 100 } as CSSProperties}>
            {formatInstant(at, isDay ? "day" : "tick", isHydrated)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Marks nearer to each other than this part of the graph are one. */
const MARKS_ACROSS = 100;
/** More lines than this in one mark say only how many there are. */
const MAX_LABELS = 6;

/** Those in the graph, by time; at the instant of the last one where several are too near to be told apart. */
export function joinMarkers(
  markers: ReadonlyArray<{ at: number; label: string }>,
  from: number,
  span: number,
): Array<{ at: number; labels: string[] }> {
  const places = new Map<number, Array<{ at: number; label: string }>>();
  for (const marker of markers.filter(({ at }) => at >= from && at < from + span).sort((a, b) => a.at - b.at)) {
    const place = Math.floor(((marker.at - from) / span) * MARKS_ACROSS);
    places.set(place, [...(places.get(place) ?? []), marker]);
  }
  return [...places.values()].map((near) => {
    const labels = near.slice(-MAX_LABELS).map(({ label }) => label);
    const left = near.length - labels.length;
    return { at: near.at(-1)?.at ?? 0, labels: left > 0 ? [`${left} more`, ...labels] : labels };
  });
}

function barsOf(buckets: readonly BarBucket[], seriesIndex: number, most: number, gap: number): string {
  let path = "";
  buckets.forEach((bucket, index) => {
    const value = bucket.values[seriesIndex] ?? 0;
    if (value <= 0) return;
    const below = bucket.values.slice(0, seriesIndex).reduce((sum, other) => sum + other, 0);
    const height = Math.max(1, round((value / most) * HEIGHT));
    path += `M${index * STEP + gap / 2} ${round(HEIGHT - (below / most) * HEIGHT)}v-${height}h${STEP - gap}v${height}z`;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The next number of the form 1, 2, 2.5, 5 times a power of ten, and never a fraction. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.ceil(step * power);
}

/** `last`: what stands below the counts. */
function tipOf(bucket: BarBucket, series: readonly BarSeries[], unit: string, last: string): string {
  if (series.length === 1) return `${countOf(bucket.values[0] ?? 0, unit)}\n${last}`;
  const lines = series.map((one, index) => `${formatCount(bucket.values[index] ?? 0)} ${one.label}`);
  return `${lines.join("\n")}\n${last}`;
}

/** `1 event`, `2 events`; the unit is given in the plural. */
function countOf(count: number, unit: string): string {
  return `${formatCount(count)} ${count === 1 ? unit.replace(/s$/, "") : unit}`;
}

const FORMATS = {
  day: { day: "numeric", month: "short" },
  time: { hour: "2-digit", minute: "2-digit" },
  /** Shorter, so that neighbours keep apart. */
  tick: { hour: "numeric", minute: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
const formatters = new Map<string, Intl.DateTimeFormat>();

// Before hydration in universal time, so that the first drawing equals the server's; in the reader's zone after.
export function formatInstant(at: number, part: keyof typeof FORMATS, isHydrated: boolean): string {
  const key = `${part} ${isHydrated}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    // Kept: making one takes longer than drawing the rest of a bar, and a graph asks for hundreds.
    formatter = isHydrated
      ? new Intl.DateTimeFormat(undefined, FORMATS[part])
      : new Intl.DateTimeFormat("en-GB", { ...FORMATS[part], timeZone: "UTC" });
    formatters.set(key, formatter);
  }
  return formatter.format(at);
}

/**
 * From when to when a bucket is, or an instant (`bucketMs` 0). Whole days by their names; where the reader's days are not
 * those of the buckets, which are of universal time, by the hour.
 */
export function formatBucket(at: number, bucketMs: number, isHydrated: boolean): string {
  const day = (instant: number) => formatInstant(instant, "day", isHydrated);
  const time = (instant: number) => formatInstant(instant, "time", isHydrated);
  const end = at + bucketMs;
  const isMidnight = (instant: number) => {
    const date = new Date(instant);
    return isHydrated ? date.getHours() + date.getMinutes() === 0 : instant % DAY_MS === 0;
  };
  const first = day(at);
  if (bucketMs === 0) return `${first}, ${time(at)}`;
  const last = day(end - 1);
  if (bucketMs >= DAY_MS && isMidnight(at) && isMidnight(end)) return first === last ? first : `${first} – ${last}`;
  return `${first}, ${time(at)} – ${first === last ? "" : `${day(end)}, `}${time(end)}`;
}
