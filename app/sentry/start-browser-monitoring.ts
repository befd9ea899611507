import { type ClientInstrumentation, type ClientOnErrorFunction, isRouteErrorResponse } from "react-router";
import { isConnectionFault } from "../navigation/connection-fault.ts";
import { importOptional } from "../navigation/stale-build.ts";
import { withLimitedBaggage } from "./baggage.ts";
import { type EarlyFault, findBrowserMonitoring } from "./browser-monitoring.ts";
import { createDelegatingInstrumentation } from "./delegating-instrumentation.ts";
import { isServerFaultCopy, rememberFault } from "./fault-event-id.ts";

/** Faults kept for the SDK until it is there; more than this is one fault many times. */
const MAX_EARLY_FAULTS = 20;

/**
 * Watches the page with the Sentry SDK, without its weight on the first load: its 44 kB come after the page's `load` event.
 * What goes wrong before that is kept and reported then.
 */
export function startBrowserMonitoring(): {
  onError: ClientOnErrorFunction;
  instrumentations: ClientInstrumentation[];
} {
  const monitoring = findBrowserMonitoring(document);
  if (!monitoring) return { onError: () => {}, instrumentations: [] };

  let started: ClientInstrumentation | null = null;
  const early = keepEarlyFaults();
  // Below the SDK's own wrapping of fetch, so that it sees the headers as they are sent.
  window.fetch = withLimitedBaggage(window.fetch.bind(window));

  const sdk = afterLoad()
    .then(() => importOptional(() => import("./sentry.client.ts")))
    .then((loaded) => {
      if (!loaded) return null;
      started = loaded.start(monitoring);
      for (const fault of early.release()) loaded.captureEarlyFault(fault);
      return loaded;
    });

  return {
    instrumentations: [createDelegatingInstrumentation(() => started)],
    onError(error, info) {
      // What a person is told in words (no such page, not allowed, wrong input) is no fault of the program.
      if (isRouteErrorResponse(error) && error.status < 500) return;
      // The server has reported the original, and a page that was left while it loaded has no fault.
      if (isServerFaultCopy(error) || isConnectionFault(error)) return;
      void sdk.then((loaded) => loaded && rememberFault(error, loaded.captureRouterFault(error, info)));
    },
  };
}

function keepEarlyFaults(): { release(): EarlyFault[] } {
  const faults: EarlyFault[] = [];
  const keep = (fault: EarlyFault) => {
    if (faults.length < MAX_EARLY_FAULTS) faults.push(fault);
  };
  const onError = (event: ErrorEvent) => keep({ error: event.error ?? event.message, type: "onerror" });
  const onRejection = (event: PromiseRejectionEvent) => keep({ error: event.reason, type: "onunhandledrejection" });
  window.addEventListener("error", onError);
  window.addEventListener("unhandledrejection", onRejection);
  return {
    release() {
      window.removeEventListener("error", onError);
      window.removeEventListener("unhandledrejection", onRejection);
      return faults;
    },
  };
}

function afterLoad(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === "complete") resolve();
    // A task later: handlers of `load` itself come first.
    else window.addEventListener("load", () => setTimeout(resolve, 0), { once: true });
  });
}
