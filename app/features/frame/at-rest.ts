import type { DataRouter } from "react-router";
import { learnImports } from "../../navigation/learn-imports.ts";
import { sayNewPage } from "../../navigation/say-new-page.ts";
import { importOptional } from "../../navigation/stale-build.ts";

/** Prepares what the first page does not need itself. This file is fetched once a page has nothing to do. */
export function prepareNext(router: DataRouter, whenAtRest: (act: () => void) => () => void): void {
  sayNewPage(router, whenAtRest);
  // The development server gives the whole map.
  if (import.meta.env.PROD) void learnImports();
  if (!document.querySelector(".frame")) return;
  // Loads ahead what a key opens. Without its code, the sheet would take the page along.
  void importOptional(() => import("./command-list.tsx"));
  void importOptional(() => import("./shortcut-sheet.tsx"));
}
