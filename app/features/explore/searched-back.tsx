import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { formatCount } from "../../ui/count.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { type ExploreOptions, toExplorePath } from "./explore-options.ts";
import type { ExplorePage } from "./get-explore-page.server.ts";

/** How far back a limited search looked, with a link to continue. Absent if it looked at everything at once. */
export function SearchedBack({ reach, options }: Pick<ExplorePage, "reach"> & { options: ExploreOptions }) {
  if (reach === null && options.before === null) return null;
  return (
    <>
      {reach === null ? (
        "The search is done: these are the oldest spans of the time range."
      ) : (
        <>
          Searched {formatCount(reach.progress.searched)} of {formatCount(reach.progress.spans)} spans, back to{" "}
          <AbsoluteTime at={reach.searchedFrom} />.{" "}
          <TextLink to={toExplorePath(options, { before: reach.progress.next })} prefetch="none">
            Continue the search
          </TextLink>
        </>
      )}
      {options.before !== null && (
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
