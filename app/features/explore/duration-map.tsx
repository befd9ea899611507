import { useNavigate } from "react-router";
import { type DurationHeatmap, SHADES, toShade } from "../../domain/spans/duration-heatmap.ts";
import { useIsHydrated } from "../../ui/clock.tsx";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { TableHead } from "../../ui/table.tsx";
import { type ExploreOptions, toExplorePath } from "./explore-options.ts";
import { formatAt } from "./format-at.ts";
import { type CellRange, type ColumnTimes, sumCells, toCells, toHeight, toSelection } from "./heatmap-cells.ts";
import { useBrush } from "./use-brush.ts";

/** Durations with a label on the axis, in microseconds. */
const TICKS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 6e7, 6e8, 3.6e9];
const KEYS =
  "Arrow keys move the selection, with Shift they resize it. Enter compares it with the rest, Escape takes it away.";

/** The durations of spans over time, with shades for their number. A brushed part is selected. */
export function DurationMap({
  map,
  times,
  options,
}: {
  map: DurationHeatmap;
  times: ColumnTimes;
  options: ExploreOptions;
}) {
  const isHydrated = useIsHydrated();
  const navigate = useNavigate();
  const columns = Math.round((times.to - times.from) / times.bucketMs);
  const rows = map.rows.length;
  const brush = useBrush({
    columns,
    rows,
    selected: options.selection && toCells(options.selection, map, times),
    start: () => findMost(map),
    onSelect: (cells) =>
      navigate(toExplorePath(options, { selection: cells && toSelection(cells, map, times) }), {
        preventScrollReset: true,
      }),
  });
  const formatTime = (at: number) => formatAt(at, times.to - times.from, isHydrated);
  const say = (cells: CellRange) => {
    const { from, to, minUs, maxUs } = toSelection(cells, map, times);
    return `${formatTime(from)} to ${formatTime(to)}, ${formatDuration(minUs)} to ${formatDuration(maxUs)}: ${sayCount(sumCells(map, cells))}`;
  };
  const shown = brush.cells;
  return (
    <figure className="explore-map">
      <figcaption className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="font-semibold text-sm">Duration</h2>
        <Legend most={map.most} />
      </figcaption>
      <div className="explore-map-frame">
        <div className="explore-map-ticks" aria-hidden="true">
          {TICKS.map((us) => {
            const height = toHeight(us, map);
            return height === null ? null : (
              <span key={us} style={{ bottom: `${height * 100}%` }}>
                {formatDuration(us)}
              </span>
            );
          })}
        </div>
        <div
          {...brush.handlers}
          role="application"
          aria-label={`Spans by time and duration. ${KEYS}`}
          aria-describedby="explore-map-readout"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys
          tabIndex={0}
          className="explore-map-plot"
        >
          <svg viewBox={`0 0 ${columns} ${rows}`} preserveAspectRatio="none" aria-hidden="true">
            {toPaths(map).map((path, shade) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: shades have no other name
              <path key={shade} d={path} data-shade={shade} vectorEffect="non-scaling-stroke" />
            ))}
          </svg>
          {shown && (
            <div
              className="explore-map-brush"
              aria-hidden="true"
              style={{
                left: `${(shown.column / columns) * 100}%`,
                width: `${((shown.lastColumn + 1 - shown.column) / columns) * 100}%`,
                bottom: `${(shown.row / rows) * 100}%`,
                height: `${((shown.lastRow + 1 - shown.row) / rows) * 100}%`,
              }}
            />
          )}
        </div>
        <div className="explore-map-times" aria-hidden="true">
          <span>{formatTime(times.from)}</span>
          <span>{formatTime((times.from + times.to) / 2)}</span>
          <span>{formatTime(times.to)}</span>
        </div>
      </div>
      <p id="explore-map-readout" role="status" className="tabular min-h-5 text-muted text-xs">
        {shown ? say(shown) : "Drag over slow spans, or press an arrow key in the map, to see what differs."}
      </p>
      <AsTable map={map} times={times} options={options} formatTime={formatTime} />
    </figure>
  );
}

function sayCount(weight: number): string {
  return weight === 0 ? "no spans" : weight < 1.5 ? "1 span" : `about ${formatCount(Math.round(weight))} spans`;
}

function Legend({ most }: { most: number }) {
  return (
    <span className="explore-map-legend text-muted text-xs">
      few
      <svg viewBox={`0 0 ${SHADES} 1`} width={SHADES * 14} height="10" preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: SHADES }, (_, shade) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: shades have no other name
          <path key={shade} d={`M${shade} 0h1v1h-1z`} data-shade={shade} vectorEffect="non-scaling-stroke" />
        ))}
      </svg>
      many, up to {formatCount(Math.round(most))}
    </span>
  );
}

/** One path for the cells of each shade. The first row is at the bottom. */
function toPaths({ weights, most }: DurationHeatmap): string[] {
  const paths = new Array<string>(SHADES).fill("");
  for (const [row, line] of weights.entries())
    for (const [column, weight] of line.entries())
      if (weight > 0) paths[toShade(weight, most)] += `M${column} ${weights.length - 1 - row}h1v1h-1z`;
  return paths;
}

/** The cell where the keyboard begins. */
function findMost({ weights, most }: DurationHeatmap): CellRange {
  const row = Math.max(
    0,
    weights.findIndex((line) => line.includes(most)),
  );
  const column = Math.max(0, weights[row]?.indexOf(most) ?? 0);
  return { column, lastColumn: column, row, lastRow: row };
}

const TABLE_COLUMNS = 8;

/** The map as a table: durations, times of several columns together, and numbers of spans. A duration links to its differences. */
function AsTable({
  map,
  times,
  options,
  formatTime,
}: {
  map: DurationHeatmap;
  times: ColumnTimes;
  options: ExploreOptions;
  formatTime: (at: number) => string;
}) {
  const columns = Math.round((times.to - times.from) / times.bucketMs);
  const step = Math.ceil(columns / TABLE_COLUMNS);
  const starts = Array.from({ length: Math.ceil(columns / step) }, (_, index) => index * step);
  const navigate = useNavigate();
  return (
    <details className="text-xs">
      <summary className="w-fit cursor-pointer text-muted">As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="table-scroll" aria-label="Spans by duration and time" tabIndex={0}>
        <table className="table">
          <TableHead>
            <th scope="col">Duration</th>
            {starts.map((column) => (
              <th key={column} scope="col" className="text-right">
                from {formatTime(times.from + column * times.bucketMs)}
              </th>
            ))}
          </TableHead>
          <tbody>
            {map.rows
              .map((bounds, row) => ({ ...bounds, row }))
              .filter(({ row }) => map.weights[row]?.some((weight) => weight > 0))
              .reverse()
              .map(({ fromUs, toUs, row }) => {
                const band = { column: 0, lastColumn: columns - 1, row, lastRow: row };
                return (
                  <tr key={row}>
                    <th scope="row" className="whitespace-nowrap font-normal">
                      <button
                        type="button"
                        className="hover:underline"
                        onClick={() =>
                          navigate(toExplorePath(options, { selection: toSelection(band, map, times) }), {
                            preventScrollReset: true,
                          })
                        }
                      >
                        {formatDuration(fromUs)} to {formatDuration(toUs)}
                      </button>
                    </th>
                    {starts.map((column) => {
                      const last = Math.min(columns, column + step) - 1;
                      const weight = sumCells(map, { column, lastColumn: last, row, lastRow: row });
                      return (
                        <td key={column} className="tabular text-right">
                          {weight === 0 ? "–" : formatCount(Math.round(weight))}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
          </tbody>
        </table>
      </section>
    </details>
  );
}
