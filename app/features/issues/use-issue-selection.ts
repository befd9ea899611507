import {
  type ChangeEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";

/** Value of the form's `scope` that means every issue that matches the filters, not only those on the page. */
export const ALL_MATCHING = "all-matching";

export interface IssueSelection {
  count: number;
  isAllMatching: boolean;
  allRef: RefObject<HTMLInputElement | null>;
  onAllChange: (event: ChangeEvent<HTMLInputElement>) => void;
  takeAllMatching: () => void;
  /** Handler for every click in the form. It sees check boxes and the Shift key. */
  onClick: (event: MouseEvent) => void;
  /** Handler for every key in the form: otherwise Enter on a check box would press the form's first button. */
  onKeyDown: (event: KeyboardEvent) => void;
  toggle: (issueId: number, isRange: boolean) => void;
  clear: () => void;
  /** Deselects these issues, and keeps those that were selected since. */
  release: (target: number[] | typeof ALL_MATCHING) => void;
  /** The issues that an action applies to. */
  target: () => number[] | typeof ALL_MATCHING;
}

/**
 * The selected issues. The check boxes hold the state. So selecting works before script has loaded, and a row keeps its mark when
 * the list is drawn again. This hook only counts them, and adds ranges and "all".
 */
export function useIssueSelection(form: RefObject<HTMLFormElement | null>, pageKey: unknown): IssueSelection {
  const [count, setCount] = useState(0);
  const [isAllMatching, setIsAllMatching] = useState(false);
  const allRef = useRef<HTMLInputElement>(null);
  const lastId = useRef<string | null>(null);

  const boxes = useCallback(
    () => [...(form.current?.querySelectorAll<HTMLInputElement>("input[name=issue]") ?? [])],
    [form],
  );
  const recount = useCallback(() => {
    const all = boxes();
    const checked = all.filter((box) => box.checked).length;
    setCount(checked);
    if (checked < all.length || checked === 0) setIsAllMatching(false);
    if (allRef.current) {
      allRef.current.checked = checked > 0 && checked === all.length;
      allRef.current.indeterminate = checked > 0 && checked < all.length;
    }
  }, [boxes]);

  const mark = useCallback(
    (box: HTMLInputElement, isRange: boolean) => {
      const all = boxes();
      const from = isRange ? all.findIndex((other) => other.value === lastId.current) : -1;
      const to = all.indexOf(box);
      if (from >= 0) {
        for (const other of all.slice(Math.min(from, to), Math.max(from, to) + 1)) other.checked = box.checked;
      }
      lastId.current = box.value;
      recount();
    },
    [boxes, recount],
  );

  // Rows came or went, or the browser has restored marks after a reload.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page of issues is what it reacts to
  useEffect(recount, [recount, pageKey]);

  const release = (target: number[] | typeof ALL_MATCHING) => {
    for (const box of boxes()) if (target === ALL_MATCHING || target.includes(Number(box.value))) box.checked = false;
    recount();
  };

  return {
    count,
    isAllMatching,
    allRef,
    target: () => (isAllMatching ? ALL_MATCHING : boxes().flatMap((box) => (box.checked ? Number(box.value) : []))),
    takeAllMatching: () => setIsAllMatching(true),
    onAllChange: (event) => {
      for (const box of boxes()) box.checked = event.target.checked;
      recount();
    },
    onClick: (event) => {
      const box = event.target;
      if (box instanceof HTMLInputElement && box.name === "issue") mark(box, event.shiftKey);
    },
    onKeyDown: (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
    },
    toggle: (issueId, isRange) => {
      const box = boxes().find((other) => other.value === String(issueId));
      if (!box) return;
      box.checked = isRange || !box.checked;
      mark(box, isRange);
    },
    clear: () => release(ALL_MATCHING),
    release,
  };
}
