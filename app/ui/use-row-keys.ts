import { useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { useShortcuts } from "./use-shortcuts.ts";

/** The history entry that was left last, and the address of the row that had the focus there. With it, going back leads to the same row. */
let left = "";

/**
 * `j` and `k` move the focus between the first links of the rows that the selector finds. `o` opens the row that has the focus. After going
 * back to the page, the row that was left has the focus again.
 */
export function useRowKeys(rows: string): void {
  useShortcuts({ j: () => stepRow(rows, 1), k: () => stepRow(rows, -1), o: () => openRow(rows) });
  const { key } = useLocation();
  useLayoutEffect(() => {
    const toMark = (link?: HTMLElement | null) => key + link?.getAttribute("href");
    listLinks(rows)
      .find((link) => toMark(link) === left)
      ?.focus({ preventScroll: true });
    return () => {
      left = toMark(findFocused(rows));
    };
  }, [rows, key]);
}

/** The first link of each row. */
function listLinks(rows: string): HTMLElement[] {
  return [...document.querySelectorAll(rows)].flatMap((row) => row.querySelector<HTMLElement>("a") ?? []);
}

/** Moves the focus to another row. */
export function stepRow(rows: string, by: 1 | -1): void {
  const links = listLinks(rows);
  const focused = findFocused(rows);
  const at = focused ? links.indexOf(focused) : -1;
  // A row far out of sight may be removed, and has lost the focus then.
  const next = at < 0 ? links.findIndex((link) => link.getBoundingClientRect().top >= 0) : at + by;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}

/** The first link of the row that has the focus. */
function findFocused(rows: string): HTMLElement | null | undefined {
  return document.activeElement?.closest(rows)?.querySelector("a");
}

/** Returns false if no row has the focus. */
function openRow(rows: string): boolean {
  const link = findFocused(rows);
  link?.click();
  return link != null;
}
