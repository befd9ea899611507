import { type RefObject, useEffect, useRef, useState } from "react";
import { type Assignee, isSameAssignee, toAssigneeName, toAssigneeText } from "../../domain/issues/triage.ts";
import { type SuggestedOwner, saySuggestion } from "../../domain/ownership/suggested-owner.ts";
import { AssigneeMark } from "./assignee-name.tsx";

/**
 * Who is suggested for the issue, asked for once `place` can be seen: a closed panel is part of the page, too. Empty until then, and where
 * that fails: they are an offer beside the list.
 */
function useSuggestedOwners(issueId: string | null, place: RefObject<HTMLElement | null>): readonly SuggestedOwner[] {
  const [suggested, setSuggested] = useState<readonly SuggestedOwner[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const panel = place.current?.closest("details");
    if (!panel || panel.open) return setIsOpen(true);
    const open = () => setIsOpen(true);
    panel.addEventListener("toggle", open, { once: true });
    return () => panel.removeEventListener("toggle", open);
  }, [place]);
  useEffect(() => {
    if (issueId === null || !isOpen) return;
    const ending = new AbortController();
    fetch(`/assignees?issue=${encodeURIComponent(issueId)}`, {
      signal: ending.signal,
      headers: { accept: "application/json" },
    })
      .then(async (answer) => setSuggested(answer.ok ? ((await answer.json()) as SuggestedOwner[]) : []))
      .catch(() => undefined);
    return () => ending.abort();
  }, [issueId, isOpen]);
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
  const place = useRef<HTMLFieldSetElement>(null);
  const suggested = useSuggestedOwners(issueId, place).filter(({ assignee }) => !isSameAssignee(assignee, current));
  return (
    <fieldset ref={place} className="suggested-assignees" hidden={suggested.length === 0}>
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
