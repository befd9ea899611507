import { useIsHydrated } from "../../ui/clock.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { formatBucket } from "../../ui/graph-time.ts";
import { GRAPH_HEIGHT, TimeGraph } from "../../ui/time-graph.tsx";
import type { TransactionPage } from "./get-transaction-page.server.ts";

const STEP = 10;
const LINES = [
  { label: "p95", key: "p95Us" },
  { label: "p75", key: "p75Us" },
  { label: "p50", key: "p50Us" },
] as const;

/** p50, p75 and p95 over time, with deploys as marks. It is hatched where too few were kept to be sure. */
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
  const most = toRoundDuration(Math.max(1_000, ...buckets.map(({ figures }) => figures?.p95Us ?? 0)));
  const hasUnsure = buckets.some(({ figures }) => figures?.isUnsure);
  return (
    <TimeGraph
      className="latency-graph"
      label={`Duration over time: p50, p75 and p95, up to ${formatDuration(most)}`}
      from={time.from}
      spanMs={time.to - time.from}
      width={buckets.length * STEP}
      markers={deploys}
      plotClassName="latency-plot"
      scale={
        <span className="latency-scale" aria-hidden="true">
          <span>{formatDuration(most)}</span>
          <span>{formatDuration(most / 2)}</span>
          <span>0</span>
        </span>
      }
      caption={
        <figcaption className="latency-legend">
          {LINES.map(({ label }) => (
            <span key={label}>
              <svg viewBox="0 0 20 4" width="20" height="4" aria-hidden="true">
                <path d="M0 2h20" data-line={label} />
              </svg>
              {label}
            </span>
          ))}
          {deploys.some(({ at }) => at >= time.from && at < time.to) && (
            <span className="latency-deploys">▾ deploy</span>
          )}
          {hasUnsure && <span>hatched: fewer than 30 were kept, low confidence</span>}
        </figcaption>
      }
    >
      <defs>
        <pattern id="latency-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v5" className="latency-hatch" />
        </pattern>
      </defs>
      <path d={`M0 ${GRAPH_HEIGHT / 2}H${buckets.length * STEP}`} className="latency-half" />
      {buckets.map(({ at, figures }, index) =>
        figures?.isUnsure ? (
          <rect key={at} x={index * STEP} width={STEP} height={GRAPH_HEIGHT} fill="url(#latency-hatch)" />
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
          height={GRAPH_HEIGHT}
          data-tip={`${figures ? LINES.map(({ label, key }) => `${label} ${formatDuration(figures[key])}`).join("\n") : "none"}\n${formatBucket(at, time.bucketMs, isHydrated)}`}
          data-tip-at-once=""
        />
      ))}
    </TimeGraph>
  );
}

/** The next round number in the unit that is shown. Its half is round as well. */
function toRoundDuration(us: number): number {
  const unit = us >= 60_000_000 ? 60_000_000 : us >= 1_000_000 ? 1_000_000 : 1_000;
  const power = 10 ** Math.floor(Math.log10(us / unit));
  const factor = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power * unit >= us) ?? 10;
  return factor * power * unit;
}

/** A line through the middles of the buckets, with gaps where there is no value. A single bucket is a short dash. */
function toLine(values: ReadonlyArray<number | null>, most: number): string {
  let path = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const y = Math.round((GRAPH_HEIGHT - (value / most) * GRAPH_HEIGHT) * 10) / 10;
    const isStart = (values[index - 1] ?? null) === null;
    if (isStart && (values[index + 1] ?? null) === null) path += `M${index * STEP} ${y}h${STEP}`;
    else path += `${isStart ? "M" : "L"}${(index + 0.5) * STEP} ${y}`;
  });
  return path;
}
