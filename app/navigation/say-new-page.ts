import type { DataRouter } from "react-router";

declare global {
  interface Document {
    /** Browsers have it since 2026, TypeScript not yet. */
    ariaNotify?: (announcement: string) => void;
  }
}

/** A page whose title is that of the page before is told of after this time, and not before it is drawn. */
const TITLE_WAIT_MS = 1_000;

/**
 * Does after a navigation by script what browsers do after the load of a page: a screen reader says the title of the new page, and the next
 * Tab goes on from its content. Without, nothing is said, and the focus goes with the link that was followed. Another page is
 * another path: a search that changes says by itself what it has found.
 *
 * @param whenAtRest does something once the page has nothing to do, and gives what calls it off
 * @returns what ends it.
 */
export function sayNewPage(
  router: Pick<DataRouter, "state" | "subscribe">,
  whenAtRest: (act: () => void) => () => void,
  say: (title: string) => void = openVoice(),
): () => void {
  let path = router.state.location.pathname;
  let titleBefore = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let callOff = () => {};
  // The head changes for styles and for what is fetched ahead, too.
  const titleWatch = new MutationObserver(() => document.title !== titleBefore && tell());
  function forget() {
    clearTimeout(timer);
    titleWatch.disconnect();
    callOff();
  }
  function tell() {
    forget();
    say(document.title);
    // A page that sets the focus itself, once it is drawn, knows better where to go on.
    callOff = whenAtRest(() => {
      if (document.activeElement === document.body) content()?.focus({ preventScroll: true });
    });
  }
  const unsubscribe = router.subscribe(({ location, navigation }) => {
    if (navigation.state !== "idle" || location.pathname === path) return;
    path = location.pathname;
    forget();
    // It stays from page to page, and the next one may set the focus only where it is free.
    content()?.blur();
    // The router has the new page before it is drawn, and its title is drawn with it.
    titleBefore = document.title;
    titleWatch.observe(document.head, { subtree: true, childList: true, characterData: true });
    timer = setTimeout(() => {
      callOff = whenAtRest(tell);
    }, TITLE_WAIT_MS);
  });
  return () => {
    unsubscribe();
    forget();
  };
}

const content = () => document.getElementById("main");

/** `ariaNotify` leaves no words in the page, where they would be found and copied. Older browsers say what changes in a region that they know already. */
function openVoice(): (text: string) => void {
  if (document.ariaNotify) return (text) => document.ariaNotify?.(text);
  const region = document.createElement("div");
  region.className = "sr-only";
  region.setAttribute("role", "status");
  document.body.append(region);
  return (text) => {
    region.textContent = text;
  };
}
