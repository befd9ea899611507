import { useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { useShortcuts } from "./use-shortcuts.ts";

/** The row that had the focus when somebody left its page: its address outlives the page, so that one comes back to it. */
let left: { page: string; href: string | null } | null = null;

/**
 * `j` and `k` go from row to row of what the selector finds, by the first link of each, and `o` opens the row that has the focus. Who goes back to the
 * page is at the row again that was left.
 */
export function useRowKeys(rows: string): void {
  useShortcuts({ j: () => stepRow(rows, 1), k: () => stepRow(rows, -1), o: () => openRow(rows) });
  const { pathname, search } = useLocation();
  const navigationType = useNavigationType();
  const page = useRef("");
  page.current = pathname + search;
  // Once: when the page is opened, and when it is left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes meanwhile is neither
  useLayoutEffect(() => {
    const { href } = navigationType === "POP" && left?.page === page.current ? left : { href: null };
    const link = href !== null && listLinks(rows).find((each) => each.getAttribute("href") === href);
    if (link) link.focus({ preventScroll: true });
    return () => {
      const row = document.activeElement?.closest(rows)?.querySelector("a");
      left = row ? { page: page.current, href: row.getAttribute("href") } : null;
    };
  }, []);
}

/** The first link of each row. */
function listLinks(rows: string): HTMLElement[] {
  return [...document.querySelectorAll(rows)].flatMap((row) => row.querySelector<HTMLElement>("a") ?? []);
}

/** Moves the focus to another row. */
export function stepRow(rows: string, by: 1 | -1): void {
  const links = listLinks(rows);
  const row = document.activeElement?.closest(rows);
  const at = links.findIndex((link) => row?.contains(link));
  // A row that had the focus is gone when it is far out of sight.
  const next = at < 0 ? links.findIndex((link) => link.getBoundingClientRect().top >= 0) : at + by;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}

/** False: no row has the focus. */
function openRow(rows: string): boolean {
  const link = document.activeElement?.closest(rows)?.querySelector<HTMLElement>("a");
  link?.click();
  return link !== undefined && link !== null;
}
