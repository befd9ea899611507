import { useIsHydrated } from "../../ui/clock.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { type ExploreOptions, toExplorePath } from "./explore-options.ts";
import { formatAt } from "./format-at.ts";
import { type Selection, toSelectionSearch } from "./selection.ts";

/** Says that the table below only shows the selection, with a link that ends it. */
export function SelectionStrip({ selection, options }: { selection: Selection; options: ExploreOptions }) {
  const isHydrated = useIsHydrated();
  const { from, to, minUs, maxUs } = selection;
  const rangeMs = options.period.durationMs;
  const search = toSelectionSearch(options.search, selection);
  return (
    <p className="explore-selection">
      <span className="tabular">
        Selected: {formatDuration(minUs)} to {formatDuration(maxUs)}, {formatAt(from, rangeMs, isHydrated)} to{" "}
        {formatAt(to, rangeMs, isHydrated)}
      </span>
      <TextLink to={toExplorePath(options, { search, selection: null })} preventScrollReset>
        Search only these
      </TextLink>
      <TextLink to={toExplorePath(options, { selection: null })} preventScrollReset>
        Clear the selection
      </TextLink>
    </p>
  );
}
