import type { CSSProperties } from "react";
import { formatBucket, formatInstant, joinMarkers } from "../../ui/bar-graph.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { listTicks } from "../../ui/graph-ticks.ts";
import type { TransactionPage } from "./get-transaction-page.server.ts";

const STEP = 10;
const HEIGHT = 100;
const LINES = [
  { label: "p95", key: "p95Us" },
  { label: "p75", key: "p75Us" },
  { label: "p50", key: "p50Us" },
] as const;

/** p50, p75 and p95 over time, with deploys as marks. Hatched where too few were kept to be sure. */
export function LatencyGraph({
  buckets,
  time,
  deploys,
}: {
  buckets: TransactionPage["buckets"];
  time: TransactionPage["time"];
  deploys: ReadonlyArray<{ at: number; label: string }>;
}) {
  const isHydrated = useIsHydrated();
  const span = time.to - time.from;
  const most = toRoundDuration(Math.max(1_000, ...buckets.map(({ figures }) => figures?.p95Us ?? 0)));
  const marks = joinMarkers(deploys, time.from, span);
  const hasUnsure = buckets.some(({ figures }) => figures?.isUnsure);
  return (
    <figure
      className="bar-graph latency-graph"
      aria-label={`Duration over time: p50, p75 and p95, up to ${formatDuration(most)}`}
    >
      <span className="latency-scale" aria-hidden="true">
        <span>{formatDuration(most)}</span>
        <span>{formatDuration(most / 2)}</span>
        <span>0</span>
      </span>
      <div className="bar-graph-plot latency-plot">
        <svg
          viewBox={`0 0 ${buckets.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="bar-graph-bars"
        >
          <defs>
            <pattern
              id="latency-hatch"
              width="5"
              height="5"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <path d="M0 0v5" className="latency-hatch" />
            </pattern>
          </defs>
          <path d={`M0 ${HEIGHT / 2}H${buckets.length * STEP}`} className="latency-half" />
          {buckets.map(({ at, figures }, index) =>
            figures?.isUnsure ? (
              <rect key={at} x={index * STEP} width={STEP} height={HEIGHT} fill="url(#latency-hatch)" />
            ) : null,
          )}
          {LINES.map(({ label, key }) => (
            <path
              key={label}
              data-line={label}
              d={toLine(
                buckets.map(({ figures }) => figures?.[key] ?? null),
                most,
              )}
            />
          ))}
          {buckets.map(({ at, figures }, index) => (
            <rect
              key={at}
              className="bar-graph-hit"
              x={index * STEP}
              width={STEP}
              height={HEIGHT}
              data-tip={`${figures ? LINES.map(({ label, key }) => `${label} ${formatDuration(figures[key])}`).join("\n") : "none"}\n${formatBucket(at, time.bucketMs, isHydrated)}`}
              data-tip-at-once=""
            />
          ))}
        </svg>
        {marks.map((mark) => (
          <span
            key={mark.at}
            aria-hidden="true"
            className="bar-graph-marker"
            style={{ left: `${((mark.at - time.from) / span) * 100}%` }}
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
        {listTicks(time.from, span, isHydrated).map(({ at, isDay }) => (
          <span key={at} style={{ "--at": ((at - time.from) / span) * 100 } as CSSProperties}>
            {formatInstant(at, isDay ? "day" : "tick", isHydrated)}
          </span>
        ))}
      </div>
      <figcaption className="latency-legend">
        {LINES.map(({ label }) => (
          <span key={label}>
            <svg viewBox="0 0 20 4" width="20" height="4" aria-hidden="true">
              <path d="M0 2h20" data-line={label} />
            </svg>
            {label}
          </span>
        ))}
        {marks.length > 0 && <span className="latency-deploys">▾ deploy</span>}
        {hasUnsure && <span>hatched: fewer than 30 were kept, low confidence</span>}
      </figcaption>
    </figure>
  );
}

/** The next round number, of the unit that is shown, whose half is round as well. */
function toRoundDuration(us: number): number {
  const unit = us >= 60_000_000 ? 60_000_000 : us >= 1_000_000 ? 1_000_000 : 1_000;
  const power = 10 ** Math.floor(Math.log10(us / unit));
  const factor = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power * unit >= us) ?? 10;
  return factor * power * unit;
}

/** A line through the middles of the buckets, with gaps where there is nothing; a bucket alone is a short dash. */
function toLine(values: ReadonlyArray<number | null>, most: number): string {
  let path = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const y = Math.round((HEIGHT - (value / most) * HEIGHT) * 10) / 10;
    const isStart = (values[index - 1] ?? null) === null;
    if (isStart && (values[index + 1] ?? null) === null) path += `M${index * STEP} ${y}h${STEP}`;
    else path += `${isStart ? "M" : "L"}${(index + 0.5) * STEP} ${y}`;
  });
  return path;
}
