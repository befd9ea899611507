import type { SentryEvent } from "../../domain/event.ts";
import { Panel } from "../../ui/card.tsx";
import { TextLink } from "../../ui/text-link.tsx";

const HEIGHT = 60;
const STEP = 6;
const MAX_POINTS = 60;
const LEAST_POINTS = 40;

interface Finding {
  monitor: number;
  value: string;
  line: string;
  lineValue: number;
  window: string;
  /** Why the value says little. Null: it is reliable, or nothing is known about this. */
  doubt: string | null;
  points: Array<number | null>;
}

/** Reads what a metric monitor saw from its event. Null: it is another event. Anybody can send such an event, so every field is checked. */
export function readMetricFinding({ logger, contexts }: SentryEvent): Finding | null {
  const said = logger === "culprit.metrics" ? (contexts?.metric as Record<string, unknown> | undefined) : undefined;
  if (said === undefined) return null;
  const { monitor, value, line, line_value: lineValue, window, doubt, points } = said;
  if (!Number.isSafeInteger(monitor) || typeof lineValue !== "number" || !Array.isArray(points)) return null;
  const toPoint = (point: unknown) => (typeof point === "number" && Number.isFinite(point) ? point : null);
  return {
    monitor: Number(monitor),
    value: String(value),
    line: String(line),
    lineValue,
    window: String(window),
    doubt: typeof doubt === "string" ? doubt : null,
    points: points.slice(-MAX_POINTS).map(toPoint),
  };
}

/** The value for which a metric monitor opened the issue, the earlier values with the line, and the monitor. */
export function MetricFinding({ event }: { event: SentryEvent }) {
  const finding = readMetricFinding(event);
  if (finding === null) return null;
  const { monitor, value, line, lineValue, window, doubt, points } = finding;
  const known = points.flatMap((point) => point ?? []);
  const most = Math.max(lineValue, ...known, 0);
  const least = Math.min(lineValue, ...known, 0);
  const toY = (each: number) => HEIGHT * (1 - (each - least) / (most - least || 1));
  // A few values are at the right, and not wider than many would be.
  const width = Math.max(points.length, LEAST_POINTS) * STEP;
  const left = width - points.length * STEP;
  return (
    <Panel
      id="metric"
      title="Metric"
      actions={
        <TextLink to={`/metric-monitors/${monitor}`} className="text-sm">
          The monitor and what it counts
        </TextLink>
      }
    >
      <p className="pb-2 text-sm">
        <b>{value}</b> in {window}. The line is {line}.{doubt && ` ${doubt}`}
      </p>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The ${points.length} values up to this one, with the line`}
        className="h-20 w-full max-w-[40rem]"
      >
        {points.map((point, index) =>
          point === null ? null : (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
              key={index}
              x={left + index * STEP}
              y={Math.min(toY(0), toY(point))}
              width={STEP - 1}
              height={Math.max(0.5, Math.abs(toY(0) - toY(point)))}
              className={index === points.length - 1 ? "fill-error" : "fill-line-strong"}
            />
          ),
        )}
        <line
          x1={0}
          x2={width}
          y1={toY(lineValue)}
          y2={toY(lineValue)}
          vectorEffect="non-scaling-stroke"
          className="stroke-ink"
        />
      </svg>
    </Panel>
  );
}
