import { useIsHydrated } from "./clock.tsx";
import { formatCount } from "./count.tsx";
import { formatBucket } from "./graph-time.ts";
import { GRAPH_HEIGHT, TimeGraph } from "./time-graph.tsx";

export interface BarSeries {
  label: string;
  /** A class with a fill colour, like `fill-error`. The first series is at the bottom. */
  fillClassName: string;
}

export interface BarBucket {
  /** The start of the bucket, in milliseconds since 1970. */
  at: number;
  /** One number per series. */
  values: readonly number[];
}

/** The width of a bucket in units of the view box. Its bar is a little narrower. */
const STEP = 10;

/** Counts over time as stacked bars. It is our own SVG, is part of the first HTML, and can be read by pointing and by screen readers. */
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
  /** The title, like `Events over the last 14 days`. Totals are added to it. */
  label: string;
  /** The unit in the plural, like `events`. */
  unit: string;
  series: readonly BarSeries[];
  buckets: readonly BarBucket[];
  bucketMs: number;
  /** One number per bucket, drawn as a line on the scale of the bars. The label is a plural: `users`. */
  line?: { label: string; strokeClassName: string; values: readonly number[] };
  /** Events to mark, like releases or a change of status. */
  markers?: ReadonlyArray<{ at: number; label: string }>;
  /** The total of all buckets, if it is not their sum. For example, the same user may be in several buckets. */
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
  const gap = buckets.length > 60 ? 1 : 2;

  return (
    <TimeGraph
      label={`${label}: ${countOf(total, unit)}`}
      from={first.at}
      spanMs={span}
      width={buckets.length * STEP}
      markers={markers}
      scale={
        <span className="bar-graph-most" aria-hidden="true">
          {formatCount(most)}
        </span>
      }
      plotClassName={heightClassName}
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
          d={`M${line.values.map((value, index) => `${(index + 0.5) * STEP} ${round(GRAPH_HEIGHT - (value / most) * GRAPH_HEIGHT)}`).join("L")}`}
        />
      )}
      {buckets.map((bucket, index) => (
        <rect
          key={bucket.at}
          className="bar-graph-hit"
          x={index * STEP}
          width={STEP}
          height={GRAPH_HEIGHT}
          data-tip={tipOf(
            bucket,
            series,
            unit,
            `${line ? `${countOf(line.values[index] ?? 0, line.label)}\n` : ""}${formatBucket(bucket.at, bucketMs, isHydrated)}`,
          )}
          data-tip-at-once=""
        />
      ))}
    </TimeGraph>
  );
}

function barsOf(buckets: readonly BarBucket[], seriesIndex: number, most: number, gap: number): string {
  let path = "";
  buckets.forEach((bucket, index) => {
    const value = bucket.values[seriesIndex] ?? 0;
    if (value <= 0) return;
    const below = bucket.values.slice(0, seriesIndex).reduce((sum, other) => sum + other, 0);
    const height = Math.max(1, round((value / most) * GRAPH_HEIGHT));
    path += `M${index * STEP + gap / 2} ${round(GRAPH_HEIGHT - (below / most) * GRAPH_HEIGHT)}v-${height}h${STEP - gap}v${height}z`;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The next number of the form 1, 2, 2.5, 5 times a power of ten, and never a fraction. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.ceil(step * power);
}

/** The text for one bucket. `last`: the line below the counts. */
function tipOf(bucket: BarBucket, series: readonly BarSeries[], unit: string, last: string): string {
  if (series.length === 1) return `${countOf(bucket.values[0] ?? 0, unit)}\n${last}`;
  const lines = series.map((one, index) => `${formatCount(bucket.values[index] ?? 0)} ${one.label}`);
  return `${lines.join("\n")}\n${last}`;
}

/** A count with its unit: `1 event`, `2 events`. The unit is given in the plural. */
function countOf(count: number, unit: string): string {
  return `${formatCount(count)} ${count === 1 ? unit.replace(/s$/, "") : unit}`;
}
