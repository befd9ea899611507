import type { DataRouter } from "react-router";
import { importOptional } from "../../navigation/stale-build.ts";
import { whenAtRest } from "../../navigation/when-at-rest.ts";

/** Fetches what the first page does not need itself, once the page has nothing to do. @returns a function that cancels it. */
export function loadAtRest(router: DataRouter): () => void {
  return whenAtRest(async () => (await importOptional(() => import("./at-rest.ts")))?.prepareNext(router, whenAtRest));
}
