import type { IssueMerge } from "../../domain/issues/issue-merge.ts";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useMay } from "../frame/use-may.tsx";
import { DecidedEvents, DecisionName } from "./decision-words.tsx";

/** The merges that people made. Each is a rule for later events until it is undone. */
export function MergeList({ merges, action }: { merges: readonly IssueMerge[]; action: string }) {
  const mayUndo = useMay("event:write");
  const mayRename = useMay("project:write");
  return (
    <Panel
      id="merges"
      title="Merged issues"
      description="Events of both come to one issue. Undo gives each event back to the issue of its own key, also those that came since."
      isFlush
    >
      {merges.length === 0 && (
        <p className="p-4 text-muted text-sm">Nobody has merged any. Select two issues in the list, and press Merge.</p>
      )}
      <ul className="divide-y divide-line">
        {merges.map((merge) => (
          <li key={merge.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <DecisionName
                action={action}
                intent="rename-merge"
                id={merge.id}
                name={merge.name}
                mayRename={mayRename && merge.undoneAt === null}
              />
              <span className="wrap-anywhere text-muted text-xs">
                {merge.merged.title} →{" "}
                <TextLink to={`/issues/${merge.target.issueId}`}>{merge.target.shortId}</TextLink> {merge.target.title}
              </span>
              <span className="text-faint text-xs">
                {merge.mergedBy ?? "A token"}, <RelativeTime at={merge.mergedAt} />.{" "}
                {merge.undoneAt === null &&
                  (merge.isOnce ? (
                    "No rule: later events of its keys are a new issue."
                  ) : (
                    <>
                      {sayKeys(merge.hashes.length)}.{" "}
                      <DecidedEvents count={merge.decidedCount} lastAt={merge.decidedAt} />
                    </>
                  ))}
                {merge.undoneAt !== null && (
                  <>
                    {" "}
                    Undone by {merge.undoneBy ?? "a token"}, <RelativeTime at={merge.undoneAt} />.
                  </>
                )}
              </span>
            </div>
            {merge.undoneAt === null && mayUndo && (
              <ButtonForm
                action={`/issues/${merge.target.issueId}`}
                fields={{ merge: merge.id }}
                name="intent"
                value="undo-merge"
                size="sm"
                aria-label={`Undo ${merge.name}`}
              >
                Undo
              </ButtonForm>
            )}
            {merge.undoneAt !== null && (
              <TextLink to={`/issues/${merge.merged.issueId}`}>{merge.merged.shortId}</TextLink>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function sayKeys(count: number): string {
  return count === 1 ? "1 key leads there" : `${count} keys lead there`;
}
