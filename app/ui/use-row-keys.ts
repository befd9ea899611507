import { useLayoutEffect } from "react";
import { useLocation } from "react-router";
import { useShortcuts } from "./use-shortcuts.ts";

/** An entry of the history and the address of the row that had the focus when somebody left it: so one comes back to the row. */
let left = "";

/**
 * `j` and `k` go from row to row of what the selector finds, by the first link of each, and `o` opens the row that has the focus. Who goes back to the
 * page is at the row again that was left.
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
  // A row that had the focus is gone when it is far out of sight.
  const next = at < 0 ? links.findIndex((link) => link.getBoundingClientRect().top >= 0) : at + by;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}

/** Of the row that has the focus. */
function findFocused(rows: string): HTMLElement | null | undefined {
  return document.activeElement?.closest(rows)?.querySelector("a");
}

/** False: no row has the focus. */
function openRow(rows: string): boolean {
  const link = findFocused(rows);
  link?.click();
  return link != null;
}
