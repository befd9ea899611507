import type { MetricSettings } from "../../domain/metrics/metric-monitor.ts";
import { formatLine, sayFigure } from "../../domain/metrics/say-metric.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { GRAPH_HEIGHT, TimeGraph } from "../../ui/time-graph.tsx";

/** The width of a bar with the space after it, in units of the view box. */
const BAR = 4;

/** Values over time with the lines, and a table with the same values. */
export function MetricChart({
  settings,
  chart: { from, to, bars },
  markers,
  span,
}: {
  settings: MetricSettings;
  chart: { from: number; to: number; bars: ReadonlyArray<{ at: number; value: number | null }> };
  markers: ReadonlyArray<{ at: number; label: string }>;
  /** The time that one bar stands for: `two hours`. */
  span: string;
}) {
  const { critical, warning, direction } = settings;
  const values = bars.flatMap(({ value }) => value ?? []);
  const toY = createScale(settings, [critical, ...(warning === null ? [] : [warning]), ...values]);
  const most = values.length === 0 ? null : direction === "above" ? Math.max(...values) : Math.min(...values);
  const width = bars.length * BAR;
  const isBeyond = (value: number, line: number) => (direction === "above" ? value > line : value < line);
  const zero = toY(0);
  const known = bars.filter(({ value }) => value !== null);
  return (
    <div>
      <TimeGraph
        label={`${sayFigure(settings)}, by ${span}. The line is ${direction} ${formatLine(settings, critical)}.${most === null ? " Nothing is known." : ` The value nearest to it or beyond is ${formatLine(settings, most)}.`}`}
        from={from}
        spanMs={to - from}
        width={width}
        markers={markers}
        scale={
          <span className="bar-graph-most" aria-hidden="true">
            {most === null ? "" : formatLine(settings, Math.max(critical, ...values))}
          </span>
        }
        plotClassName="metric-plot"
      >
        {bars.map(({ at, value }, index) =>
          value === null ? (
            <rect key={at} x={index * BAR} y={0} width={BAR} height={GRAPH_HEIGHT} className="metric-none" />
          ) : (
            <rect
              key={at}
              x={index * BAR}
              y={Math.min(zero, toY(value))}
              width={BAR - 1}
              height={Math.max(1, Math.abs(zero - toY(value)))}
              className="metric-bar"
              data-level={
                isBeyond(value, critical)
                  ? "critical"
                  : warning !== null && isBeyond(value, warning)
                    ? "warning"
                    : undefined
              }
            />
          ),
        )}
        <line x1={0} x2={width} y1={toY(critical)} y2={toY(critical)} className="metric-line" />
        {warning !== null && (
          <line x1={0} x2={width} y1={toY(warning)} y2={toY(warning)} className="metric-line" data-level="warning" />
        )}
      </TimeGraph>
      <details className="pt-1">
        <summary className="cursor-pointer text-muted text-xs">As a table</summary>
        <div className="max-h-72 overflow-y-auto">
          <Table label={`Values by ${span}`}>
            <TableHead>
              <Th>From</Th>
              <Th isNumber>Value</Th>
            </TableHead>
            <tbody>
              {known.toReversed().map(({ at, value }) => (
                <tr key={at}>
                  <Td>
                    <AbsoluteTime at={at} />
                  </Td>
                  <Td isNumber>{value === null ? "" : formatLine(settings, value)}</Td>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      </details>
    </div>
  );
}

/**
 * Maps a value to its distance from the top. If no value is negative, the scale is that of square roots, so that both the line and a peak
 * can be read.
 */
function createScale({ comparison }: MetricSettings, values: readonly number[]): (value: number) => number {
  const most = Math.max(...values, comparison === "week" ? 10 : 0);
  const least = Math.min(...values, 0);
  if (comparison === "week") return (value) => GRAPH_HEIGHT * (1 - (value - least) / (most - least || 1));
  return (value) => GRAPH_HEIGHT * (1 - Math.sqrt(Math.max(0, value) / (most * 1.05 || 1)));
}
