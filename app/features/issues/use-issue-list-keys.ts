import { type RefObject, useEffect, useRef } from "react";
import { useNavigationType } from "react-router";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { useMay } from "../frame/use-may.tsx";
import type { IssueChanges, IssueIntent } from "./use-issue-changes.ts";
import type { IssueSelection } from "./use-issue-selection.ts";

/**
 * Ids of issues in the order in which to look for a row to focus: the row that had the focus last, those below it, then those
 * above. It outlives the list, so that the reader comes back from an issue to the same place.
 */
let wanted: string[] = [];

/**
 * Keyboard shortcuts of the list. The current row is the row whose link has the focus, so that Enter, screen readers and the focus
 * ring agree. When that row goes, the row that takes its place gets the focus.
 */
export function useIssueListKeys({
  form,
  selection,
  pageKey,
  changes,
}: {
  form: RefObject<HTMLFormElement | null>;
  selection: IssueSelection;
  /** Changes with the rows. */
  pageKey: unknown;
  changes: Pick<IssueChanges, "change" | "undoPending">;
}): void {
  const mayChange = useMay("event:write");
  const at = useRef(-1);
  const navigationType = useNavigationType();
  const rows = () => [...(form.current?.querySelectorAll<HTMLElement>("[data-issue]") ?? [])];
  const current = () => rows().findIndex((row) => row.contains(document.activeElement));

  const focus = (index: number) => {
    const all = rows();
    const row = all[Math.max(0, Math.min(index, all.length - 1))];
    row?.querySelector("a")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
    at.current = row ? all.indexOf(row) : -1;
  };
  /** Goes by ids: several rows may have gone at once, also above, so indexes are useless. */
  const findWanted = () => {
    const ids = rows().map((row) => row.dataset.issue ?? "");
    const id = wanted.find((each) => ids.includes(each));
    return id === undefined ? at.current : ids.indexOf(id);
  };
  const move = (step: number) => {
    const index = current();
    focus(index >= 0 ? index + step : at.current >= 0 ? at.current : 0);
  };
  const currentId = () => {
    const row = rows()[current()];
    return row ? Number(row.dataset.issue) : null;
  };
  const toggle = (isRange: boolean) => {
    const id = currentId();
    if (id !== null) selection.toggle(id, isRange);
    return id !== null;
  };
  const act = (intent: IssueIntent) => {
    if (!mayChange) return false;
    const index = current();
    const id = currentId();
    if (index >= 0) at.current = index;
    if (selection.count > 0) changes.change(intent, selection.target());
    else if (id !== null) changes.change(intent, [id]);
    return true;
  };

  /** Opens a panel for the selected issues, or selects the current row first: the panel works on the selection. */
  const openPanel = (shortcut: string) => () => {
    const find = () => document.querySelector<HTMLElement>(`[data-shortcut='${shortcut}']`);
    // The reader's role may not have this panel.
    if (!find() || (selection.count === 0 && !toggle(false))) return false;
    // By then the bar of the selection is drawn.
    requestAnimationFrame(() => find()?.click());
    return true;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that changed are what it reacts to
  useEffect(() => {
    // Only if the focused row itself has gone. A person whose focus is elsewhere stays there.
    if (at.current >= 0 && document.activeElement === document.body) focus(findWanted());
  }, [pageKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list is there
  useEffect(() => {
    const note = () => {
      const ids = rows().map((row) => row.dataset.issue ?? "");
      const index = current();
      if (index >= 0) wanted = [...ids.slice(index), ...ids.slice(0, index).reverse()];
    };
    document.addEventListener("focusin", note);
    // The reader is back from an issue, which may have left the list.
    if (navigationType === "POP" && wanted.length > 0 && document.activeElement === document.body) {
      at.current = findWanted();
      rows()[at.current]?.querySelector("a")?.focus({ preventScroll: true });
    }
    return () => document.removeEventListener("focusin", note);
  }, []);

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    o: () => rows()[current()]?.querySelector("a")?.click(),
    x: () => toggle(false),
    "Shift+x": () => toggle(true),
    e: () => act("resolve"),
    "Shift+e": () => act("resolve-in-next-release"),
    m: () => act("archive"),
    "Shift+m": openPanel("Shift+m"),
    i: () => act("archive-escalates"),
    a: () => act("assign:me"),
    "Shift+a": openPanel("Shift+a"),
    p: openPanel("p"),
    z: openPanel("z"),
    f: openPanel("f"),
    r: () => act("reopen"),
    n: () => document.querySelector<HTMLElement>("[data-shortcut=n]")?.click(),
    u: () => changes.undoPending() || document.querySelector<HTMLElement>("[data-shortcut=u]")?.click(),
    Escape: () => (selection.count > 0 ? selection.clear() : false),
  });
}
