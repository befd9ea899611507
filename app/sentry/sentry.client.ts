import {
  captureException,
  init,
  lastEventId,
  reactRouterTracingIntegration,
  sentryOnError,
} from "@sentry/react-router";
import type { ClientInstrumentation, ClientOnErrorFunction } from "react-router";
import { CONNECTION_WORDS } from "../navigation/connection-fault.ts";
import type { BrowserMonitoring, EarlyFault } from "./browser-monitoring.ts";
import { hideSecrets } from "./hide-secret-paths.ts";

/** Starts the SDK, and gives what the router's calls are to be traced with. */
export function start(monitoring: BrowserMonitoring): ClientInstrumentation {
  // The router tells `onError` of every fault that reaches a page. The instrumentation sees more, and would report each
  // navigation that another one took over.
  const tracing = reactRouterTracingIntegration({ instrumentationOptions: { captureErrors: false } });
  // Told before `init` that the router's own instrumentation is used, the SDK does not wrap `navigate` as well: each
  // navigation would be two transactions.
  tracing.clientInstrumentation.router?.({ instrument: () => {} });
  init({
    dsn: monitoring.dsn,
    tunnel: monitoring.tunnelPath,
    release: monitoring.release,
    environment: monitoring.environment,
    integrations: [tracing],
    tracesSampleRate: monitoring.tracesSampleRate,
    beforeSend: hideSecrets,
    beforeSendTransaction: hideSecrets,
    beforeSendSpan: hideSecrets,
    // No `tracePropagationTargets`: the default is the page's own origin and nothing else.
    ignoreErrors: [
      // The copy of a fault on the server, which has reported the original.
      /^Unexpected Server Error$/,
      CONNECTION_WORDS,
      // A load that a newer one, or leaving the page, made pointless: Chromium, Firefox and Safari.
      /signal is aborted without reason|The operation was aborted|Fetch is aborted/,
    ],
  });
  return tracing.clientInstrumentation;
}

/** Gives the event's id. */
export function captureRouterFault(...fault: Parameters<ClientOnErrorFunction>): string {
  sentryOnError(...fault);
  return lastEventId() ?? "";
}

export function captureEarlyFault({ error, type }: EarlyFault): void {
  captureException(error, { mechanism: { handled: false, type: `auto.browser.global_handlers.${type}` } });
}
