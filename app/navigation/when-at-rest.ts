/** A page that is never at rest acts after this time. */
const MAX_WAIT_MS = 1_000;
/** The time for browsers that do not tell when they are at rest. */
const WAIT_MS = 100;

/** Runs `act` as soon as the page has nothing to do. @returns a function that cancels it. */
export function whenAtRest(act: () => void): () => void {
  if (typeof window.requestIdleCallback !== "function") {
    const timer = setTimeout(act, WAIT_MS);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(act, { timeout: MAX_WAIT_MS });
  return () => window.cancelIdleCallback(handle);
}
