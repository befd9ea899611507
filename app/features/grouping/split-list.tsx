import { type IssueSplit, nameSplitVariable } from "../../domain/grouping-rules/issue-split.ts";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useMay } from "../frame/use-may.tsx";
import { DecidedEvents, DecisionName } from "./decision-words.tsx";

/** The splits that people made. Each is a rule for later events until it is undone. */
export function SplitList({
  splits,
  empty,
  action,
}: {
  splits: readonly IssueSplit[];
  empty: string;
  /** The address for a change of names. Null: names cannot be changed. */
  action: string | null;
}) {
  const mayUndo = useMay("event:write");
  const mayRename = useMay("project:write");
  return (
    <Panel
      id="splits"
      title="Split issues"
      description="Each value of an issue's events has an issue of its own. Undo brings all events back, also those that came since."
      isFlush
    >
      {splits.length === 0 && <p className="p-4 text-muted text-sm">{empty}</p>}
      <ul className="divide-y divide-line">
        {splits.map((split) => (
          <li key={split.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <DecisionName
                action={action}
                intent="rename-split"
                id={split.id}
                name={split.name}
                mayRename={mayRename && split.undoneAt === null}
              />
              <span className="wrap-anywhere text-muted text-xs">
                <TextLink to={`/issues/${split.issue.issueId}`}>{split.issue.shortId}</TextLink> {split.issue.title}, by{" "}
                {nameSplitVariable(split.variable)}
              </span>
              <span className="text-faint text-xs">
                {split.splitBy ?? "A token"}, <RelativeTime at={split.splitAt} />.{" "}
                {split.undoneAt === null ? (
                  <>
                    {sayIssues(split)} <DecidedEvents count={split.decidedCount} lastAt={split.decidedAt} />
                  </>
                ) : (
                  <>
                    Undone by {split.undoneBy ?? "a token"}, <RelativeTime at={split.undoneAt} />.
                  </>
                )}
              </span>
            </div>
            {split.undoneAt === null && mayUndo && (
              <ButtonForm
                action={`/issues/${split.issue.issueId}/split`}
                fields={{ split: split.id }}
                name="intent"
                value="undo-split"
                size="sm"
                aria-label={`Undo ${split.name}`}
              >
                Undo
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function sayIssues({ issueCount, eventCount }: IssueSplit): string {
  const events = eventCount === 1 ? "1 event" : `${eventCount.toLocaleString("en")} events`;
  return `${issueCount === 1 ? "1 issue came" : `${issueCount} issues came`} of it, with ${events}.`;
}
