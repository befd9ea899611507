import { Link, useNavigate } from "react-router";
import { LOG_SEVERITIES, type LogSeverity } from "../../domain/logs/log-severity.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { Disclosure } from "../../ui/disclosure.tsx";
import { useRangeDrag } from "../../ui/use-range-drag.ts";
import type { LogsPage } from "./get-logs-page.server.ts";
import { type LogFilters, toLogsPath } from "./log-filters.ts";
import { LogTime } from "./log-time.tsx";
import { SeverityMark } from "./severity-mark.tsx";

const HEIGHT = 72;
const BAR = 10;
/** The most severe first: they are at the bottom of each bar, where they are easiest to compare. */
const LOUDEST_FIRST = LOG_SEVERITIES.toReversed();

/**
 * Lines over time by severity. Dragging over bars narrows the page to their time. A table with the same numbers, with links for
 * each bar, can be opened.
 */
export function LogHistogram({
  filters,
  page: { summary, late },
}: {
  filters: LogFilters;
  page: Pick<LogsPage, "summary" | "late">;
}) {
  const { buckets, from, to, bucketMs, countedFrom } = summary;
  const first = Math.floor(from / bucketMs) * bucketMs;
  const bars = Math.max(1, Math.ceil((to - first) / bucketMs));
  const wholeUs = bars * bucketMs * 1000;
  const toShare = (us: number) => (us - first * 1000) / wholeUs;
  const navigate = useNavigate();
  const { dragged, handlers } = useRangeDrag(
    (share) => first * 1000 + share * wholeUs,
    ({ fromUs, toUs }) => {
      // Selects whole bars: the lines within a bar are not drawn separately.
      const toBar = (us: number) => (us / 1000 - first) / bucketMs;
      const [begin, end] = [Math.floor(toBar(fromUs)), Math.ceil(toBar(toUs))];
      const window = { from: first + begin * bucketMs, to: first + end * bucketMs };
      void navigate(toLogsPath(filters, { window }));
    },
  );
  const totals = new Map<LogSeverity, number>();
  const byBar = new Map<number, Map<LogSeverity, number>>();
  for (const { at, severity, count } of buckets) {
    totals.set(severity, (totals.get(severity) ?? 0) + count);
    const bar = byBar.get(at) ?? new Map<LogSeverity, number>();
    byBar.set(at, bar.set(severity, count));
  }
  const sum = (bar: ReadonlyMap<LogSeverity, number>) => [...bar.values()].reduce((all, count) => all + count, 0);
  const precision = bucketMs < MINUTE_MS ? "second" : "minute";
  const sayTime = (at: number) => <LogTime occurredUs={at * 1000} precision={precision} />;
  const highest = Math.max(1, ...[...byBar.values()].map(sum));
  const seen = LOUDEST_FIRST.filter((severity) => totals.has(severity));
  const say = (bar: ReadonlyMap<LogSeverity, number>) =>
    LOUDEST_FIRST.flatMap((severity) =>
      bar.has(severity) ? `${bar.get(severity)?.toLocaleString("en")} ${severity}` : [],
    ).join(", ");
  return (
    <section className="log-histogram" aria-label="Lines over time">
      <p className="log-legend">
        <strong className="tabular">
          {sum(totals).toLocaleString("en")} {sum(totals) === 1 ? "line" : "lines"}
        </strong>
        {seen.map((severity) => (
          <span key={severity} className="inline-flex items-center gap-1.5">
            <SeverityMark severity={severity} />{" "}
            <span className="tabular">{totals.get(severity)?.toLocaleString("en")}</span>
          </span>
        ))}
        {countedFrom > from && (
          <span className="text-muted">
            counted from {sayTime(countedFrom)} on: the search takes too long for the rest
          </span>
        )}
        {late.earliest !== null && (
          <Link
            to={toLogsPath(filters, { window: { from: late.earliest, to } })}
            className="underline"
            title="Lines are found by the time that they say. What arrived counts them when they came."
          >
            {late.count.toLocaleString("en")} {late.count === 1 ? "line" : "lines"} arrived in this time, dated earlier
          </Link>
        )}
      </p>
      <div className="log-brush" {...handlers}>
        <svg
          viewBox={`0 0 ${bars * BAR} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`At most ${highest.toLocaleString("en")} lines in a bar. ${say(totals)}`}
        >
          {[...byBar].map(([at, bar]) => {
            let top = HEIGHT;
            return (
              <g key={at}>
                <title>{say(bar)}</title>
                {LOUDEST_FIRST.map((severity) => {
                  const height = ((bar.get(severity) ?? 0) / highest) * HEIGHT;
                  top -= height;
                  const x = ((at - first) / bucketMs) * BAR;
                  return height === 0 ? null : (
                    <rect
                      key={severity}
                      className={`log-bar-${severity}`}
                      x={x + 1}
                      y={top}
                      width={BAR - 2}
                      height={height}
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
        {dragged && (
          <i
            style={{
              insetInlineStart: `${toShare(dragged.fromUs) * 100}%`,
              inlineSize: `${(toShare(dragged.toUs) - toShare(dragged.fromUs)) * 100}%`,
            }}
          />
        )}
      </div>
      <p className="log-axis">
        {sayTime(from)}
        {sayTime(to)}
      </p>
      <Disclosure summary="As text, to narrow the time">
        <ul className="log-bars">
          {[...byBar].map(([at, bar]) => (
            <li key={at}>
              <Link to={toLogsPath(filters, { window: { from: at, to: at + bucketMs } })} className="underline">
                {sayTime(at)}
              </Link>{" "}
              {say(bar)}
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}
