/**
 * The router ends requests that nobody waits for any more. Where the answer has begun to arrive, its reader of streams leaves a promise
 * that nobody looks at (`done` of `decode`, 8.5.1), and the browser takes that for an uncaught error. Nothing went wrong: the person went on.
 */
export function ignoreEndedRequests(): void {
  window.addEventListener("unhandledrejection", (event) => {
    if (!(event.reason instanceof DOMException) || event.reason.name !== "AbortError") return;
    event.preventDefault();
    // Listeners that report errors come later.
    event.stopImmediatePropagation();
  });
}
