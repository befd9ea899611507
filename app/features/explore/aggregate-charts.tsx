import type { SpanFigure } from "../../domain/spans/span-figure.ts";
import { useIsHydrated } from "../../ui/clock.tsx";
import { formatFigure, nameGroup, shortenFigure } from "./format-aggregate.ts";
import { formatAt } from "./format-at.ts";
import type { SpanSeries } from "./sum-spans.server.ts";

const WIDTH = 600;
const HEIGHT = 84;

/** A small chart for each figure, over the same time and with one legend. Hatched parts: too few spans were kept to be reliable. */
export function AggregateCharts({
  series,
  figures,
  from,
  to,
}: {
  series: SpanSeries;
  figures: readonly SpanFigure[];
  from: number;
  to: number;
}) {
  const isHydrated = useIsHydrated();
  const count = series.groups[0]?.buckets.length ?? 0;
  const unsure = Array.from({ length: count }, (_, index) =>
    series.groups.some(({ buckets }) => buckets[index]?.isUnsure),
  );
  return (
    <section aria-label="Charts" className="explore-charts">
      <div className="explore-chart-grid">
        {figures.map((figure, index) => {
          const values = series.groups.flatMap(({ buckets }) => buckets.map((bucket) => bucket?.values[index] ?? null));
          const most = Math.max(...values.map((value) => value ?? 0));
          const bound = values.every((value) => value === null) ? "none" : `up to ${formatFigure(figure, most)}`;
          return (
            <figure key={figure.name}>
              <figcaption className="flex items-baseline justify-between gap-2 text-xs">
                <code className="min-w-0 truncate" title={shortenFigure(figure)}>
                  {shortenFigure(figure)}
                </code>
                <span className="tabular whitespace-nowrap text-muted">{bound}</span>
              </figcaption>
              <svg
                viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                preserveAspectRatio="none"
                role="img"
                aria-label={`${figure.name} over time, ${bound}`}
              >
                {unsure.map((isUnsure, at) =>
                  isUnsure ? (
                    <rect
                      // biome-ignore lint/suspicious/noArrayIndexKey: buckets have no other name
                      key={at}
                      x={(at / count) * WIDTH}
                      width={WIDTH / count}
                      height={HEIGHT}
                      className="explore-unsure"
                    />
                  ) : null,
                )}
                {series.groups.map(({ group, buckets }, line) => (
                  <path
                    key={nameGroup(group)}
                    d={toPath(
                      buckets.map((bucket) =>
                        figure.aggregate === "count()" ? (bucket?.values[index] ?? 0) : (bucket?.values[index] ?? null),
                      ),
                      most,
                    )}
                    data-line={line}
                    vectorEffect="non-scaling-stroke"
                  />
                ))}
              </svg>
              <div className="flex justify-between text-muted text-xs" aria-hidden="true">
                <span>{formatAt(from, to - from, isHydrated)}</span>
                <span>{formatAt(to, to - from, isHydrated)}</span>
              </div>
            </figure>
          );
        })}
      </div>
      <ul aria-label="Groups in the charts" className="explore-legend">
        {series.groups.map(({ group }, line) => (
          <li key={nameGroup(group)}>
            <svg viewBox="0 0 20 4" width="20" height="4" aria-hidden="true">
              <path d="M0 2h20" data-line={line} />
            </svg>
            <code className="truncate">{nameGroup(group)}</code>
          </li>
        ))}
        {series.hasMore && <li className="text-muted">Further groups are under Aggregates.</li>}
        {unsure.includes(true) && (
          <li className="text-muted">
            <span className="explore-unsure-key" aria-hidden="true" /> Confidence is low: fewer than 30 spans of a group
            were kept.
          </li>
        )}
      </ul>
    </section>
  );
}

/** The path of a line through the middles of the buckets, with gaps where there is no value. A single bucket is a short dash. */
function toPath(values: ReadonlyArray<number | null>, most: number): string {
  const step = WIDTH / values.length;
  let path = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const y = Math.round((HEIGHT - 2 - (most > 0 ? value / most : 0) * (HEIGHT - 6)) * 10) / 10;
    const x = (index + 0.5) * step;
    const isStart = index === 0 || values[index - 1] === null;
    const isAlone = isStart && (values[index + 1] ?? null) === null;
    if (isAlone) path += `M${x - step / 2} ${y}h${step}`;
    else path += `${isStart ? "M" : "L"}${x} ${y}`;
  });
  return path;
}
