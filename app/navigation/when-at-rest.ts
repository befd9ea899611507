/** A page that is never at rest gets it after this time. */
const MAX_WAIT_MS = 1_000;
/** For browsers that do not tell when they are at rest. */
const WAIT_MS = 100;

/** Does something as soon as the page has nothing to do. @returns what calls it off. */
export function whenAtRest(act: () => void): () => void {
  if (typeof window.requestIdleCallback !== "function") {
    const timer = setTimeout(act, WAIT_MS);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(act, { timeout: MAX_WAIT_MS });
  return () => window.cancelIdleCallback(handle);
}
