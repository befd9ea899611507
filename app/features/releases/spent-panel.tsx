import { Panel } from "../../ui/card.tsx";
import { IssueItemList } from "./issue-item-list.tsx";
import type { IssueItem } from "./to-issue-items.server.ts";

/** The issues that may have ended the sessions that crashed. `of`: words for the end of a sentence that say of what and when. */
export function SpentPanel({ issues, of }: { issues: readonly IssueItem[]; of: string }) {
  return (
    <Panel
      title="What spent the budget"
      description={`A session does not say which error ended it. These are the unhandled issues ${of}, those with most events first.`}
      isFlush
    >
      {issues.length > 0 ? (
        <IssueItemList label="Unhandled issues" issues={issues} />
      ) : (
        <p className="p-4 text-muted text-sm">No unhandled issue had an event.</p>
      )}
    </Panel>
  );
}
