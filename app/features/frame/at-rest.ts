import type { DataRouter } from "react-router";
import { learnImports } from "../../navigation/learn-imports.ts";
import { sayNewPage } from "../../navigation/say-new-page.ts";

/** What the first page works without. This file is fetched once a page has nothing to do. */
export function prepareNext(router: DataRouter, whenAtRest: (act: () => void) => () => void): void {
  sayNewPage(router, whenAtRest);
  // The map of the development server is whole.
  if (import.meta.env.PROD) void learnImports();
  // The list of the palette, which opens by a key.
  if (document.querySelector(".frame")) import("./command-list.tsx").catch(() => {});
}
