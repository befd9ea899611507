import type { DataRouter } from "react-router";

declare global {
  interface Document {
    /** Browsers have had it since 2026. TypeScript does not know it yet. */
    ariaNotify?: (announcement: string) => void;
  }
}

/** If the new page has the same title as the one before, it is announced after this time, and not before it is drawn. */
const TITLE_WAIT_MS = 1_000;

/**
 * Does after a navigation by script what browsers do after loading a page. A screen reader says the title of the new page, and the next Tab
 * continues in its content. Without this, nothing is said, and the focus is lost with the link that was followed. A page is new if its path
 * is new: a search that changes announces its results itself.
 * @param whenAtRest runs something once the page has nothing to do, and returns a function that cancels it
 * @returns a function that ends this.
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
  // The head also changes for styles and for what is prefetched.
  const titleWatch = new MutationObserver(() => document.title !== titleBefore && tell());
  function forget() {
    clearTimeout(timer);
    titleWatch.disconnect();
    callOff();
  }
  function tell() {
    forget();
    say(document.title);
    // A page that sets the focus itself when it is drawn keeps it.
    callOff = whenAtRest(() => {
      if (document.activeElement === document.body) content()?.focus({ preventScroll: true });
    });
  }
  const unsubscribe = router.subscribe(({ location, navigation }) => {
    if (navigation.state !== "idle" || location.pathname === path) return;
    path = location.pathname;
    forget();
    // The content stays from page to page, and the next page may set the focus only if it is free.
    content()?.blur();
    // The router has the new page before the page and its title are drawn.
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

/**
 * Returns a function that announces text. `ariaNotify` leaves no words in the page, where they could be found and copied. Older browsers
 * announce the changes of a region that they already know.
 */
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
