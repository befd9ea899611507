import type { CSSProperties } from "react";
import { Link } from "react-router";
import { Panel } from "../../ui/card.tsx";
import { toIssuePath, withTag } from "../issues/issue-paths.ts";
import type { IssueTags } from "./list-issue-tags.server.ts";

/** How the events spread over each tag; a value leads to the events that have it. */
export function TagDistributions({
  distributions,
  issueId,
  search,
}: {
  distributions: IssueTags;
  issueId: number;
  search: URLSearchParams;
}) {
  return (
    <Panel
      title="Tags"
      description={
        distributions.isSampled
          ? `Over the newest ${distributions.countedEvents.toLocaleString("en")} events.`
          : `Over ${distributions.countedEvents === 1 ? "the only event" : `all ${distributions.countedEvents.toLocaleString("en")} events`}.`
      }
    >
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-x-6 gap-y-5">
        {distributions.tags.map((tag) => (
          <section key={tag.key} className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
            <h3 className="flex items-baseline gap-2 font-mono text-sm">
              {tag.key}
              <span className="text-faint text-xs">
                {tag.distinctCount.toLocaleString("en")} {tag.distinctCount === 1 ? "value" : "values"}
              </span>
            </h3>
            <ol className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
              {tag.values.map((value) => (
                <li key={value.value}>
                  <Link
                    to={toIssuePath(issueId, "/events", withTag(search, tag.key, value.value))}
                    prefetch="intent"
                    className="tag-share"
                    style={{ "--share": `${(value.count / tag.total) * 100}%` } as CSSProperties}
                  >
                    <span className="min-w-0 flex-1 truncate">{value.value === "" ? "(empty)" : value.value}</span>
                    <span className="tabular text-muted">{toPercent(value.count, tag.total)}</span>
                  </Link>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Panel>
  );
}

function toPercent(part: number, total: number): string {
  const percent = (part / total) * 100;
  return percent < 1 ? "< 1%" : `${Math.round(percent)}%`;
}
