import { type ReactNode, StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import type { DataRouter } from "react-router";
import { HydratedRouter, type unstable_RouterFetch } from "react-router/dom";
import { loadAtRest } from "./features/frame/load-at-rest.ts";
import { ignoreEndedRequests } from "./navigation/ignore-ended-requests.ts";
import { sendOneFormAtATime } from "./navigation/one-form-at-a-time.ts";
import { isBuildStale, noticeNewBuild } from "./navigation/stale-build.ts";
import { loadWholePage, watchNavigation } from "./navigation/watch-navigation.ts";
import { countServerFaults, rememberServerFault } from "./sentry/fault-event-id.ts";
import { startBrowserMonitoring } from "./sentry/start-browser-monitoring.ts";

declare global {
  interface Window {
    /** Set by `HydratedRouter` when it is first rendered. */
    __reactRouterDataRouter?: DataRouter;
  }
}

/** The router's own requests; those of prefetch links are the browser's. */
const routerFetch: unstable_RouterFetch = async (request) => {
  const response = await fetch(request);
  rememberServerFault(response);
  const { status, headers } = response;
  // A proxy says that nobody answers: it is the same as no answer. Culprit's own answers have the header.
  if (status > 500 && !headers.has("x-remix-response")) throw new TypeError("Failed to fetch");
  return response;
};

noticeNewBuild();
ignoreEndedRequests();
const { onError, instrumentations } = startBrowserMonitoring();

/** Stands around the router, because its effect runs when the router is there. Beside it, `useId` would count otherwise. */
function NavigationWatch({ children }: { children: ReactNode }) {
  useEffect(() => {
    const router = window.__reactRouterDataRouter;
    if (!router) return;
    const ends = [
      watchNavigation(router, { loadPage: loadWholePage, isStale: isBuildStale, countFaults: countServerFaults }),
      sendOneFormAtATime(router),
      loadAtRest(router),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  return children;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <NavigationWatch>
        <HydratedRouter onError={onError} instrumentations={instrumentations} unstable_fetch={routerFetch} />
      </NavigationWatch>
    </StrictMode>,
  );
});
