import type { IssueActivity } from "../../stores/state-store.ts";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { IssuePage } from "./get-issue-page.server.ts";

/** When it was seen, and what people and Culprit did about it. */
export function IssueSidebar({ page }: { page: IssuePage }) {
  const { issue, activity } = page;
  return (
    <aside className="grid gap-4" aria-label="About this issue">
      <Panel title="Seen">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
          <dt className="text-muted">Last</dt>
          <dd>
            <RelativeTime at={issue.lastSeenAt} />
          </dd>
          <dt className="text-muted">First</dt>
          <dd>
            <RelativeTime at={issue.firstSeenAt} />
          </dd>
        </dl>
      </Panel>
      <Panel title="Activity">
        <ol className="grid gap-3 text-sm">
          {activity.map((entry) => (
            <li key={entry.id} className="grid gap-0.5 border-line border-l-2 pl-3">
              <span>{toSentence(entry)}</span>
              <RelativeTime at={entry.at} className="text-faint text-xs" />
            </li>
          ))}
        </ol>
      </Panel>
    </aside>
  );
}

function toSentence({ kind, user }: IssueActivity): string {
  const who = user?.name ?? "Culprit";
  switch (kind) {
    case "first_seen":
      return "First seen";
    case "resolved":
      return `${who} resolved it`;
    case "archived":
      return `${who} archived it`;
    case "reopened":
      return `${who} reopened it`;
    case "regressed":
      return "Happened again after it was resolved";
  }
}
