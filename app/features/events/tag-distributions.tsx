import { Trash2 } from "lucide-react";
import type { CSSProperties } from "react";
import { Link } from "react-router";
import { Panel } from "../../ui/card.tsx";
import { readUserTag, toUserDataPath } from "../deletions/deletion-words.ts";
import { useMay } from "../frame/use-may.tsx";
import { toIssuePath, withTag } from "../issues/issue-paths.ts";
import type { IssueTags } from "./list-issue-tags.server.ts";

/** The distribution of events over each tag. A value links to the events that have it. */
export function TagDistributions({
  distributions,
  issueId,
  project,
  search,
}: {
  distributions: IssueTags;
  issueId: number;
  /** The slug of the issue's project. */
  project: string;
  search: URLSearchParams;
}) {
  return (
    <Panel title="Tags" description={[sayCounted(distributions), distributions.storedShare].filter(Boolean).join(" ")}>
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
                <li key={value.value} className="flex items-center gap-1">
                  <Link
                    to={toIssuePath(issueId, "/events", withTag(search, tag.key, value.value))}
                    prefetch="intent"
                    className="tag-share min-w-0 flex-1"
                    style={{ "--share": `${(value.count / tag.total) * 100}%` } as CSSProperties}
                  >
                    <span className="min-w-0 flex-1 truncate" title={value.value}>
                      <bdi>
                        {(tag.key === "user" && distributions.userNames[value.value]) || value.value || "(empty)"}
                      </bdi>
                    </span>
                    <span className="tabular text-muted">{toPercent(value.count, tag.total)}</span>
                  </Link>
                  {tag.key === "user" && (
                    <DeleteUserDataLink
                      tagValue={value.value}
                      name={distributions.userNames[value.value]}
                      project={project}
                    />
                  )}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Panel>
  );
}

function sayCounted({ isSampled, countedEvents, storedShare }: IssueTags): string {
  const count = countedEvents.toLocaleString("en");
  const events = storedShare === null ? "events" : "stored events";
  if (isSampled) return `Over the newest ${count} ${events}.`;
  return countedEvents === 1 ? `Over the only ${events.slice(0, -1)}.` : `Over all ${count} ${events}.`;
}

/** A link to the preview of deleting everything that the user has sent to the project. */
function DeleteUserDataLink({
  tagValue,
  name,
  project,
}: {
  tagValue: string;
  name: string | undefined;
  project: string;
}) {
  const mayDelete = useMay("event:admin");
  const user = readUserTag(tagValue);
  if (user === null || !mayDelete) return null;
  const label = `Delete what ${name ?? user.value} sent…`;
  return (
    <Link
      to={toUserDataPath({ ...user, project })}
      aria-label={label}
      data-tip={label}
      className="grid size-6 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
    >
      <Trash2 aria-hidden="true" className="size-3.5" />
    </Link>
  );
}

function toPercent(part: number, total: number): string {
  const percent = (part / total) * 100;
  return percent < 1 ? "< 1%" : `${Math.round(percent)}%`;
}
