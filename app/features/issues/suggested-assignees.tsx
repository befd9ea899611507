import { type RefObject, useEffect, useRef, useState } from "react";
import { type Assignee, isSameAssignee, toAssigneeName, toAssigneeText } from "../../domain/issues/triage.ts";
import type { SuggestedAssignee } from "../owners/suggest-assignees.server.ts";
import { typeIntoFilter } from "./assignee-list.tsx";
import { AssigneeMark } from "./assignee-name.tsx";

/**
 * Suggested assignees for the issues. They are requested once `place` is visible, because closed panels are part of the page, too.
 * Empty until then, and if the request fails: the suggestions are optional.
 */
function useSuggested(issueIds: string, place: RefObject<HTMLElement | null>): readonly SuggestedAssignee[] {
  const [suggested, setSuggested] = useState<readonly SuggestedAssignee[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const panel = place.current?.closest("details");
    if (!panel || panel.open) return setIsOpen(true);
    const open = () => setIsOpen(true);
    panel.addEventListener("toggle", open, { once: true });
    return () => panel.removeEventListener("toggle", open);
  }, [place]);
  useEffect(() => {
    if (issueIds === "" || !isOpen) return;
    const ending = new AbortController();
    const asked = new URLSearchParams(issueIds.split(",").map((id) => ["issue", id]));
    fetch(`/assignees?${asked}`, {
      signal: ending.signal,
      headers: { accept: "application/json" },
    })
      .then(async (answer) => setSuggested(answer.ok ? ((await answer.json()) as SuggestedAssignee[]) : []))
      .catch(() => undefined);
    return () => ending.abort();
  }, [issueIds, isOpen]);
  return suggested;
}

/** Buttons like those of `AssigneeList`, with the reasons. */
export function SuggestedAssignees({
  issueIds,
  current = null,
  button,
  form,
}: {
  /** Ids separated by commas. Empty: none. */
  issueIds: string;
  current?: Assignee | null;
  button: (value: string) => { name: string; value: string };
  form?: string;
}) {
  const place = useRef<HTMLFieldSetElement>(null);
  const suggested = useSuggested(issueIds, place).filter(({ assignee }) => !isSameAssignee(assignee, current));
  const count = suggested.length;
  useEffect(() => {
    // When a panel opens, its filter field has the focus. Moving the focus to the suggestion lets Enter take it; typed letters
    // still go to the field.
    const { activeElement } = document;
    const isWaiting = activeElement instanceof HTMLInputElement && activeElement.value === "";
    if (count > 0 && isWaiting && place.current?.parentElement?.contains(activeElement))
      place.current.querySelector("button")?.focus();
  }, [count]);
  return (
    <fieldset ref={place} className="suggested-assignees" hidden={count === 0} onKeyDown={typeIntoFilter}>
      <legend>Suggested</legend>
      {suggested.map(({ assignee, why }) => (
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
            <span className="text-muted text-xs [overflow-wrap:anywhere]">{why}</span>
          </span>
        </button>
      ))}
    </fieldset>
  );
}
