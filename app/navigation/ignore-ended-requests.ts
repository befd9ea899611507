/**
 * Ignores errors of requests that the router ended because nobody waits for them any more. If the answer had begun to arrive, the router's
 * reader of streams leaves a promise that nobody handles (`done` of `decode`, 8.5.1). The browser reports it as an uncaught error, but
 * nothing went wrong: the person went on.
 */
export function ignoreEndedRequests(): void {
  window.addEventListener("unhandledrejection", (event) => {
    if (!(event.reason instanceof DOMException) || event.reason.name !== "AbortError") return;
    event.preventDefault();
    // Listeners that report errors are added later.
    event.stopImmediatePropagation();
  });
}
