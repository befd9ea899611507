import { createPath, type DataRouter } from "react-router";
import { CODE_LIMIT_MS, DATA_LIMIT_MS } from "./navigation-limits.ts";
import { reloadPage } from "./stale-build.ts";

type WatchedRouter = Pick<DataRouter, "state" | "subscribe">;

/** Loads a whole page. `historyAction`: the effect on the history; `POP` is a step that the browser has already made. */
export type PageLoad = (path: string, historyAction: "PUSH" | "REPLACE" | "POP") => void;

/**
 * Ends a navigation that hangs, by loading the page whole. It hangs if its code has not arrived after `CODE_LIMIT_MS`, or if it is not done
 * after `DATA_LIMIT_MS`. If the server has answered with a fault, late code has time until `DATA_LIMIT_MS`, too: the fault is shown without
 * the code, and the page loaded whole would be the same fault again. A form that is being submitted is left alone, because sending it twice
 * could do something twice.
 * @param isStale asked at the start of each navigation. True: this page is of an older build than the server's, whose code does not exist
 * any more, so no time is lost on trying.
 * @param countFaults the number of the server's answers to the router that were faults until now
 * @returns a function that ends the watch.
 */
export function watchNavigation(
  router: WatchedRouter,
  { loadPage, isStale, countFaults }: { loadPage: PageLoad; isStale: () => boolean; countFaults: () => number },
): () => void {
  let watched: string | undefined;
  let timers: Array<ReturnType<typeof setTimeout>> = [];
  const forget = () => {
    timers.forEach(clearTimeout);
    timers = [];
    watched = undefined;
  };
  const unsubscribe = router.subscribe(({ navigation }) => {
    if (navigation.state !== "loading") return forget();
    const { location, matches, historyAction } = navigation;
    const path = createPath(location);
    const identity = `${location.key} ${path}`;
    if (identity === watched) return;
    forget();
    watched = identity;
    const giveUp = () => loadPage(path, historyAction);
    if (isStale()) return giveUp();
    const faultsBefore = countFaults();
    const giveUpOnCode = () => {
      if (countFaults() > faultsBefore) return;
      // The router removes `lazy` from a route when all of its code is there.
      if (matches.some((match) => match.route.lazy !== undefined)) giveUp();
    };
    timers = [setTimeout(giveUpOnCode, CODE_LIMIT_MS), setTimeout(giveUp, DATA_LIMIT_MS)];
  });
  return () => {
    unsubscribe();
    forget();
  };
}

export const loadWholePage: PageLoad = (path, historyAction) => {
  const { location } = window;
  const isHere = path.split("#")[0] === location.pathname + location.search;
  if (historyAction === "POP" || isHere) reloadPage();
  else if (historyAction === "REPLACE") location.replace(path);
  else location.assign(path);
};
