import { useEffect, useState } from "react";
import { type Assignee, isSameAssignee, toAssigneeName, toAssigneeText } from "../../domain/issues/triage.ts";
import { type SuggestedOwner, saySuggestion } from "../../domain/ownership/suggested-owner.ts";
import { AssigneeMark } from "./assignee-name.tsx";

/** Who is suggested for the issue, asked for when it is drawn. Empty until then, and where that fails: they are an offer beside the list. */
export function useSuggestedOwners(issueId: string | null): readonly SuggestedOwner[] {
  const [suggested, setSuggested] = useState<readonly SuggestedOwner[]>([]);
  useEffect(() => {
    if (issueId === null) return;
    const ending = new AbortController();
    fetch(`/assignees?issue=${encodeURIComponent(issueId)}`, {
      signal: ending.signal,
      headers: { accept: "application/json" },
    })
      .then(async (answer) => setSuggested(answer.ok ? ((await answer.json()) as SuggestedOwner[]) : []))
      .catch(() => undefined);
    return () => ending.abort();
  }, [issueId]);
  return suggested;
}

/** Buttons as those of `AssigneeList`, with the reasons. */
export function SuggestedAssignees({
  issueId,
  current = null,
  button,
  form,
}: {
  issueId: string | null;
  current?: Assignee | null;
  button: (value: string) => { name: string; value: string };
  form?: string;
}) {
  const suggested = useSuggestedOwners(issueId).filter(({ assignee }) => !isSameAssignee(assignee, current));
  if (suggested.length === 0) return null;
  return (
    <fieldset className="suggested-assignees">
      <legend>Suggested</legend>
      {suggested.map(({ assignee, reasons }) => (
        <button
          key={toAssigneeText(assignee)}
          type="submit"
          form={form}
          {...button(toAssigneeText(assignee))}
          className="menu-item"
        >
          <AssigneeMark assignee={assignee} />
          <span className="grid min-w-0">
            <bdi className="truncate">{toAssigneeName(assignee)}</bdi>
            <span className="text-muted text-xs [overflow-wrap:anywhere]">{reasons.map(saySuggestion).join("; ")}</span>
          </span>
        </button>
      ))}
    </fieldset>
  );
}
