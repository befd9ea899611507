import { RelativeTime } from "../../ui/relative-time.tsx";
import { toActivitySentence } from "./activity-sentence.ts";
import type { IssuePage } from "./get-issue-page.server.ts";

/** Lists what people and Culprit did about the issue. */
export function IssueSidebar({ page: { activity } }: { page: Pick<IssuePage, "activity"> }) {
  return (
    <section aria-labelledby="issue-activity" className="grid gap-2.5">
      <h2 id="issue-activity" className="text-sm">
        Activity
      </h2>
      <ol className="grid gap-2.5 text-sm">
        {activity.map((entry) => (
          <li key={entry.id} className="grid gap-0.5 border-line border-l-2 pl-3">
            <span className="wrap-anywhere">{toActivitySentence(entry)}</span>
            <RelativeTime at={entry.at} className="text-faint text-xs" />
          </li>
        ))}
      </ol>
    </section>
  );
}
