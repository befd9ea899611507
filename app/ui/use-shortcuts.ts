import { useEffect, useRef } from "react";

/** How long the second key of a pair (`g i`) may take. */
const PAIR_WITHIN_MS = 1_200;

/**
 * What a key does: `j`, `Shift+x`, `?`, `mod+k` (Cmd on Macs, Ctrl elsewhere), or a pair like `g i`. Return false to let
 * the browser have the key.
 */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** Listens on the document while mounted. Keys typed into fields, menus and dialogs are left alone, except with `mod`. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const hasMod = event.metaKey || event.ctrlKey;
      if (!hasMod && (isTyping(event.target) || document.querySelector("dialog:modal"))) return;
      const key = nameKey(event, hasMod);
      const pair = first && Date.now() - first.at < PAIR_WITHIN_MS ? `${first.key} ${key}` : "";
      first = null;
      const act = (pair && latest.current[pair]) || latest.current[key];
      if (act) {
        if (act(event) !== false) event.preventDefault();
      } else if (!hasMod && Object.keys(latest.current).some((name) => name.startsWith(`${key} `))) {
        first = { key, at: Date.now() };
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function nameKey(event: KeyboardEvent, hasMod: boolean): string {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const hasShift = event.shiftKey && /^[a-z]$|^.{2,}$/.test(letter);
  return `${hasMod ? "mod+" : ""}${hasShift ? "Shift+" : ""}${letter}`;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("[role=menu], [role=listbox], [popover]")) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
