import { useShortcuts } from "./use-shortcuts.ts";

/** `j` and `k` go from row to row of what the selector finds, by the first link of each, and `o` opens the row that has the focus. */
export function useRowKeys(rows: string): void {
  useShortcuts({ j: () => stepRow(rows, 1), k: () => stepRow(rows, -1), o: () => openRow(rows) });
}

/** Moves the focus to another row. */
export function stepRow(rows: string, by: 1 | -1): void {
  const links = [...document.querySelectorAll(rows)].flatMap((row) => row.querySelector<HTMLElement>("a") ?? []);
  const row = document.activeElement?.closest(rows);
  const at = links.findIndex((link) => row?.contains(link));
  // A row that had the focus is gone when it is far out of sight.
  const next = at < 0 ? links.findIndex((link) => link.getBoundingClientRect().top >= 0) : at + by;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}

/** False: no row has the focus. */
export function openRow(rows: string): boolean {
  const link = document.activeElement?.closest(rows)?.querySelector<HTMLElement>("a");
  link?.click();
  return link !== undefined && link !== null;
}
