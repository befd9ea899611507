import { Link } from "react-router";
import { isUnsure } from "../../domain/spans/span-aggregates.ts";
import { MIN_POINTS, type SpanDifference } from "../../domain/spans/span-differences.ts";
import { formatCount } from "../../ui/count.tsx";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import { sayRange, toggleRange } from "../search/search-range.ts";
import type { SelectionComparison } from "./compare-selection.server.ts";
import { addFilter, type ExploreOptions, toExplorePath, toFilterKey } from "./explore-options.ts";
import { formatShare } from "./format-share.ts";
import { isSampled, sayWeight } from "./say-weight.ts";

/** Values to show: together they are as high as the map. */
const SHOWN = 6;

/** Values whose share among the selected spans differs most from their share among the rest. */
export function DifferenceList({ comparison, options }: { comparison: SelectionComparison; options: ExploreOptions }) {
  const { differences, otherKeys, selected, rest } = comparison;
  const list = useKeptFocus<HTMLElement>();
  return (
    <section ref={list} tabIndex={-1} aria-labelledby="what-differs" className="explore-differences">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="what-differs" className="font-semibold text-sm">
          What differs
        </h2>
        <p className="explore-difference-legend text-muted text-xs" aria-hidden="true">
          <span data-side="selected" /> selected <span data-side="rest" /> the rest <span>points</span>
        </p>
      </div>
      {selected.spans === 0 || rest.spans === 0 ? (
        <p className="py-2 text-muted text-sm">
          {selected.spans === 0 ? "No span is selected." : "Every span is selected: there is no rest to compare with."}
        </p>
      ) : differences.length === 0 ? (
        <p className="py-2 text-muted text-sm">No attribute differs by {MIN_POINTS} points or more.</p>
      ) : (
        <Differences differences={differences.slice(0, SHOWN)} options={options} />
      )}
      {differences.length > SHOWN && (
        <details>
          <summary className="w-fit cursor-pointer py-2 text-muted text-xs">
            {differences.length - SHOWN} more of {MIN_POINTS} points and above
          </summary>
          <Differences differences={differences.slice(SHOWN)} options={options} />
        </details>
      )}
      <p className="pt-2 text-muted text-xs">
        {selected.spans > 0 && rest.spans > 0 && differences.length > 0 && otherKeys > 0 && (
          <>
            {formatCount(otherKeys)} more {otherKeys === 1 ? "attribute differs" : "attributes differ"} by less.{" "}
          </>
        )}
        <SayRead what="selected" {...selected} /> <SayRead what="of the rest" {...rest} />
      </p>
    </section>
  );
}

function Differences({ differences, options }: { differences: readonly SpanDifference[]; options: ExploreOptions }) {
  return (
    <ul>
      {differences.map((difference) => (
        <Difference key={difference.key} difference={difference} options={options} />
      ))}
    </ul>
  );
}

function SayRead({ what, ...side }: SelectionComparison["selected"] & { what: string }) {
  const { spans, read } = side;
  const count = isSampled(side)
    ? `Spans ${what}: ${sayWeight({ ...side, isUnsure: isUnsure(side) })}.`
    : `${formatCount(spans)} ${spans === 1 ? "span" : "spans"} ${what}.`;
  return read >= spans ? count : `${count} ${formatCount(read)} of them were read, spread evenly.`;
}

function Difference({ difference, options }: { difference: SpanDifference; options: ExploreOptions }) {
  const { key, value, selectedShare, restShare, selectedSpans, restSpans, points } = difference;
  const filterKey = toFilterKey(key);
  const text = typeof value === "string" ? value : sayRange(value);
  const search =
    typeof value === "string"
      ? addFilter(options.search, filterKey, value)
      : toggleRange(options.search, filterKey, value);
  return (
    <li>
      <div className="explore-difference-words">
        <Link
          to={toExplorePath(options, { search })}
          preventScrollReset
          title={`Search for ${key}: ${text}`}
          className="min-w-0 truncate font-mono text-xs hover:underline"
        >
          <span className="text-muted">{key}</span> {text}
        </Link>
        {typeof value === "string" ? (
          <Link
            to={toExplorePath(options, { search: addFilter(options.search, filterKey, value, true) })}
            preventScrollReset
            aria-label={`Leave out ${key} ${value}`}
            className="explore-difference-out"
          >
            −
          </Link>
        ) : (
          <span />
        )}
        <span className="tabular" title={`${formatCount(selectedSpans)} of the spans that were read`}>
          <span className="sr-only">selected </span>
          {formatShare(selectedShare)}
        </span>
        <span className="tabular text-muted" title={`${formatCount(restSpans)} of the spans that were read`}>
          <span className="sr-only">the rest </span>
          {formatShare(restShare)}
        </span>
        <strong className="tabular text-right">{formatPoints(points)}</strong>
      </div>
      <div aria-hidden="true" className="explore-difference-bar" data-side="selected">
        <span style={{ width: `${selectedShare * 100}%` }} />
      </div>
      <div aria-hidden="true" className="explore-difference-bar" data-side="rest">
        <span style={{ width: `${restShare * 100}%` }} />
      </div>
    </li>
  );
}

function formatPoints(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.round(Math.abs(points))}`;
}
