import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { toActivitySentence } from "./activity-sentence.ts";
import type { IssuePage } from "./get-issue-page.server.ts";
import { ReleaseName } from "./resolved-notice.tsx";

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
            {issue.lastRelease !== null && <InRelease version={issue.lastRelease} />}
          </dd>
          <dt className="text-muted">First</dt>
          <dd>
            <RelativeTime at={issue.firstSeenAt} />
            {issue.firstRelease !== null && <InRelease version={issue.firstRelease} />}
          </dd>
        </dl>
      </Panel>
      <Panel title="Activity">
        <ol className="grid gap-3 text-sm">
          {activity.map((entry) => (
            <li key={entry.id} className="grid gap-0.5 border-line border-l-2 pl-3">
              <span className="wrap-anywhere">{toActivitySentence(entry)}</span>
              <RelativeTime at={entry.at} className="text-faint text-xs" />
            </li>
          ))}
        </ol>
      </Panel>
    </aside>
  );
}

function InRelease({ version }: { version: string }) {
  return (
    <span className="block text-xs">
      in <ReleaseName version={version} />
    </span>
  );
}
