import { Form, useNavigation } from "react-router";
import { MOVE_DAYS, type RuleMove } from "../../domain/grouping-rules/rule-move.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { SelectField } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useMay } from "../frame/use-may.tsx";
import { useReadingAgain } from "../jobs/use-reading-again.ts";

const PAUSE_MS = 2_000;

/** Moves stored events to where the rules put them. The rules themselves only apply to later events. */
export function StoredEventsPanel({ moves, days }: { moves: readonly RuleMove[]; days: string }) {
  const mayChange = useMay("project:write");
  const pending = useNavigation().formData?.get("intent");
  useReadingAgain(moves.some(isUnderWay), PAUSE_MS);
  return (
    <Panel
      id="stored"
      title="Stored events"
      description="Saved rules hold for events that come. Stored events can follow them: in the background, without notifications, and undo brings them back."
      isFlush
    >
      {mayChange && (
        <Form method="post" action="#stored" className="flex flex-wrap items-end gap-3 p-4">
          <SelectField label="Events of the last" name="days" defaultValue={days} className="w-36">
            {toOptions(MOVE_DAYS, (each) => [each, each === 1 ? "day" : `${each} days`])}
          </SelectField>
          <Button type="submit" name="intent" value="preview-move" isPending={pending === "preview-move"}>
            Preview the move
          </Button>
          <Button type="submit" name="intent" value="move" isPending={pending === "move"}>
            Move stored events
          </Button>
        </Form>
      )}
      {moves.length === 0 && !mayChange && <p className="p-4 text-muted text-sm">Nobody has moved any.</p>}
      <ul className="divide-y divide-line border-line border-t empty:hidden">
        {moves.map((move) => (
          <li key={move.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <span className="font-semibold">{sayMove(move)}</span>
              <span className="text-faint text-xs">
                Events since <AbsoluteTime at={move.since} />. {move.askedBy ?? "A token"},{" "}
                <RelativeTime at={move.askedAt} />.
                {move.undoAskedAt !== null && (
                  <>
                    {" "}
                    Undone by {move.undoBy ?? "a token"}, <RelativeTime at={move.undoAskedAt} />.
                  </>
                )}
              </span>
              {move.endedAt === null && move.undoAskedAt === null && (
                <progress
                  className="h-1.5 w-full max-w-80 accent-mark"
                  aria-label="Issues that were looked at"
                  value={move.doneIssueCount}
                  max={Math.max(move.issueCount, 1)}
                />
              )}
            </div>
            {move.undoAskedAt === null && mayChange && (
              <ButtonForm
                fields={{ move: move.id }}
                name="intent"
                value="undo-move"
                size="sm"
                aria-label={move.endedAt === null ? "Stop and undo the move" : "Undo the move"}
              >
                {move.endedAt === null ? "Stop and undo" : "Undo"}
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function isUnderWay({ endedAt, undoAskedAt, undoneAt }: RuleMove): boolean {
  return undoAskedAt === null ? endedAt === null : undoneAt === null;
}

function sayMove({ endedAt, undoAskedAt, undoneAt, movedCount, issueCount, doneIssueCount }: RuleMove): string {
  const events = movedCount === 1 ? "1 event" : `${movedCount.toLocaleString("en")} events`;
  if (undoAskedAt !== null) return undoneAt === null ? `${events} are about to go back` : `${events} went back`;
  const issues = issueCount === 1 ? "1 issue" : `${issueCount.toLocaleString("en")} issues`;
  if (endedAt === null)
    return `Moving: ${Math.min(doneIssueCount, issueCount).toLocaleString("en")} of ${issues} looked at, ${events} moved`;
  return movedCount === 0 ? `No event had to move: ${issues} looked at` : `${events} moved`;
}
