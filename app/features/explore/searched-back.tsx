import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { type ExploreOptions, toExplorePath } from "./explore-options.ts";
import type { ExplorePage } from "./get-explore-page.server.ts";

/** How far a search came that reads only so many spans, and the way on. Nothing: it came to the end of the period. */
export function SearchedBack({
  page: { searchedFrom, searchedTo, searchable },
  options,
}: {
  page: Pick<ExplorePage, "searchedFrom" | "searchedTo" | "searchable">;
  options: ExploreOptions;
}) {
  if (searchedFrom === null && searchedTo === null) return null;
  const isEnd = searchedFrom === null;
  // Where more spans came at one moment than a search reads, it cannot go on behind them.
  const isStuck = searchedFrom !== null && searchedTo !== null && searchedFrom >= searchedTo;
  const { from, to } = searchable;
  const share = isEnd ? 1 : (to - searchedFrom) / (to - from);
  return (
    <>
      Searched back to {isEnd ? "the start of the time range" : <AbsoluteTime at={searchedFrom} />}
      {searchedTo !== null && (
        <>
          , from <AbsoluteTime at={searchedTo} />
        </>
      )}
      : {sayShare(share)} of the time range is done.
      {!isEnd && !isStuck && (
        <>
          {" "}
          <TextLink to={toExplorePath(options, { before: searchedFrom })} prefetch="none">
            Continue the search
          </TextLink>
        </>
      )}
      {isStuck && " Older spans need a search without attributes, or a shorter time range."}
      {searchedTo !== null && (
        <>
          {" "}
          <TextLink to={toExplorePath(options, { before: null })} prefetch="none">
            Back to the newest spans
          </TextLink>
        </>
      )}
    </>
  );
}

/** Never all of it as long as something is left. */
function sayShare(share: number): string {
  if (share >= 1) return "all";
  return share < 0.01 ? "less than 1 %" : `${Math.min(99, Math.floor(share * 100))} %`;
}
