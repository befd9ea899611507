import { useLayoutEffect, useRef } from "react";

/** How long the second key of a pair (`g i`) may take. */
const PAIR_WITHIN_MS = 1_200;

/**
 * What a key does: `j`, `Shift+x`, `?`, `mod+k` (Cmd on Macs, Ctrl elsewhere), or a pair like `g i`. Return false to let
 * the browser have the key.
 */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

interface FirstKey {
  key: string;
  /** When it was pressed, by the clock of events: a busy page hears of both keys late, and of one later than of the other. */
  at: number;
}

/** The bindings of the page now, of all of its parts. */
const bound = new Set<{ current: Shortcuts }>();
/** The key before the one that is being pressed, where it may be the first of a pair. */
let first: FirstKey | null = null;
/** The press that all listeners are told of, and what was `first` when it came. */
let press: { event: KeyboardEvent; first: FirstKey | null } | null = null;

/** The pair that the key ends, whichever part of the page has bound it; null: it stands alone. */
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

/** Listens on the document while mounted. Keys typed into fields, menus, panels and dialogs are left alone, except with `mod`. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  // Together with the rendering: people who see a page may press its keys.
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
      // A pair of another part goes before a key of this one: `g r` before `r`.
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
