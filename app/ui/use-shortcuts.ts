import { useLayoutEffect, useRef } from "react";

/** The most time between the two keys of a pair, like `g i`. */
const PAIR_WITHIN_MS = 1_200;

/**
 * What each key does: `j`, `Shift+x`, `?`, `mod+k` (Cmd on Macs, Ctrl elsewhere), or a pair like `g i`. A function that returns false
 * leaves the key to the browser.
 */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

interface FirstKey {
  key: string;
  /** When the key was pressed, by the clock of events. On a busy page both keys are handled late, and not equally late. */
  at: number;
}

/** The present bindings of all parts of the page. */
const bound = new Set<{ current: Shortcuts }>();
/** The key before the present one, if it may be the first of a pair. */
let first: FirstKey | null = null;
/** The press that is being handled by all listeners, and the value of `first` when it came. */
let press: { event: KeyboardEvent; first: FirstKey | null } | null = null;

/** The pair that ends with this key, whichever part of the page has bound it. Null: the key stands alone. */
function findPair(event: KeyboardEvent, key: string): string | null {
  if (press?.event !== event) {
    press = { event, first };
    first = null;
  }
  const before = press.first;
  if (!before || event.timeStamp - before.at >= PAIR_WITHIN_MS) return null;
  const pair = `${before.key} ${key}`;
  return [...bound].some(({ current }) => Object.hasOwn(current, pair)) ? pair : null;
}

/** Listens on the document while mounted. It ignores keys typed into fields, menus, panels and dialogs, except with `mod`. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  // This runs together with the rendering, because people may press keys as soon as they see the page.
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  useLayoutEffect(() => {
    bound.add(latest);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const hasMod = event.metaKey || event.ctrlKey;
      if (!hasMod && (isTyping(event.target) || document.querySelector("dialog:modal"))) return;
      const key = nameKey(event, hasMod);
      // A pair of another part comes before a single key of this one: `g r` before `r`.
      const act = latest.current[findPair(event, key) ?? key];
      if (act) {
        if (act(event) !== false) event.preventDefault();
      } else if (!hasMod && Object.keys(latest.current).some((name) => name.startsWith(`${key} `))) {
        first = { key, at: event.timeStamp };
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      bound.delete(latest);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}

function nameKey(event: KeyboardEvent, hasMod: boolean): string {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const hasShift = event.shiftKey && /^[a-z]$|^.{2,}$/.test(letter);
  return `${hasMod ? "mod+" : ""}${hasShift ? "Shift+" : ""}${letter}`;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("[role=menu], [role=listbox], [role=dialog], [popover]")) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
