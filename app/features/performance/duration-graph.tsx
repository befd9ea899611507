import type { CSSProperties } from "react";
import {
  BUCKET_GROWTH,
  type DurationHistogram,
  EMPTY_BUCKET,
  middleOf,
} from "../../domain/spans/duration-histogram.ts";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import type { TransactionFigures } from "./transaction-figures.ts";

/** The most bars that can be told apart. */
const MAX_BARS = 48;
const STEP = 10;
const HEIGHT = 100;

interface Bar {
  fromUs: number;
  toUs: number;
  weight: number;
}

/** The distribution of durations, with p50 and p95 marked. On its scale each bar ends at the same factor times its start. */
export function DurationGraph({ durations, figures }: { durations: DurationHistogram; figures: TransactionFigures }) {
  const { bars, first, buckets } = toBars(durations);
  const most = Math.max(...bars.map(({ weight }) => weight));
  const placeOf = (us: number) => {
    const bucket = us < 1 ? EMPTY_BUCKET : Math.log(us) / Math.log(BUCKET_GROWTH);
    return Math.min(100, Math.max(0, ((bucket - first) / buckets) * 100));
  };
  const marks = [
    { label: "p50", us: figures.p50Us },
    { label: "p95", us: figures.p95Us },
  ];
  const ends = [bars[0]?.fromUs ?? 0, bars.at(-1)?.toUs ?? 0];
  return (
    <figure
      className="duration-graph"
      aria-label={`Durations from ${formatDuration(ends[0] as number)} to ${formatDuration(ends[1] as number)}, half of them up to ${formatDuration(figures.p50Us)}, 95 % up to ${formatDuration(figures.p95Us)}`}
    >
      <div className="duration-plot">
        <svg viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map(({ fromUs, toUs, weight }, index) => {
            const height = weight > 0 ? Math.max(1.5, (weight / most) * HEIGHT) : 0;
            return (
              <g key={fromUs}>
                <rect
                  x={index * STEP + 0.75}
                  y={HEIGHT - height}
                  width={STEP - 1.5}
                  height={height}
                  className="duration-bar"
                />
                <rect
                  className="bar-graph-hit"
                  x={index * STEP}
                  width={STEP}
                  height={HEIGHT}
                  data-tip={`${formatCount(Math.round(weight))}\n${formatDuration(fromUs)} – ${formatDuration(toUs)}`}
                  data-tip-at-once=""
                />
              </g>
            );
          })}
        </svg>
        {marks.map(({ label, us }) => (
          <span
            key={label}
            aria-hidden="true"
            className="duration-mark"
            data-late={placeOf(us) > 75 || undefined}
            style={{ left: `${placeOf(us)}%` } as CSSProperties}
          >
            {label} {formatDuration(us)}
          </span>
        ))}
      </div>
      <p className="flex justify-between text-2xs text-muted" aria-hidden="true">
        {ends.map((us, index) => (
          <span key={index === 0 ? "from" : "to"}>{formatDuration(us)}</span>
        ))}
      </p>
    </figure>
  );
}

/** Joins neighbouring buckets until there are few enough. */
function toBars(durations: DurationHistogram): { bars: Bar[]; first: number; buckets: number } {
  const numbers = durations.map(([bucket]) => bucket);
  const first = Math.min(...numbers);
  const last = Math.max(...numbers);
  const perBar = Math.max(1, Math.ceil((last - first + 1) / MAX_BARS));
  const count = Math.ceil((last - first + 1) / perBar);
  const begin = (bucket: number) => (bucket <= EMPTY_BUCKET ? 0 : BUCKET_GROWTH ** bucket);
  const bars = Array.from({ length: count }, (_, index): Bar => {
    const from = first + index * perBar;
    return { fromUs: begin(from), toUs: Math.max(begin(from + perBar), middleOf(from)), weight: 0 };
  });
  for (const [bucket, weight] of durations) {
    const bar = bars[Math.floor((bucket - first) / perBar)];
    if (bar) bar.weight += weight;
  }
  return { bars, first, buckets: count * perBar };
}
