import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toExamplePath } from "./filter-words.ts";
import type { FilterUse as Use } from "./get-filters-page.server.ts";

/** How much a filter took, with a link to an example. A filter that is off and took nothing shows nothing. */
export function FilterUse({
  slug,
  reason,
  use,
  isOn,
}: {
  slug: string;
  reason: string;
  use: Use | undefined;
  isOn: boolean;
}) {
  if (use === undefined || use.lastWeek === 0)
    return !isOn ? null : <p className="text-muted text-xs">Nothing in the last 7 days</p>;
  return (
    <p className="text-muted text-xs">
      <span className="font-semibold text-ink tabular-nums">{use.lastDay.toLocaleString("en")}</span> in the last day,{" "}
      <span className="tabular-nums">{use.lastWeek.toLocaleString("en")}</span> in 7 days
      {use.exampleAt !== null && (
        <>
          {" · "}
          <TextLink to={toExamplePath(slug, reason)}>
            An example, <RelativeTime at={use.exampleAt} />
          </TextLink>
        </>
      )}
    </p>
  );
}
