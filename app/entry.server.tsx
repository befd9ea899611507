import { isbot } from "isbot";
import type { ReactNode } from "react";
import { type PipeableStream, renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { requireEntrance } from "./access/enter.server.ts";
import { clientAddressContext, formTargetContext, nonceContext, proxyIdentityContext } from "./context.ts";
import { createDocumentStream } from "./document-stream.server.ts";
import { waitContext } from "./features/auth/answer-busy.server.ts";
import { refuseEarly as refuseSignInEarly } from "./features/auth/refuse-early.server.ts";
import { answerWithWaitPage } from "./features/auth/wait-page.ts";
import { renderMonitoringMeta } from "./sentry/browser-monitoring.ts";
import { createDelegatingInstrumentation } from "./sentry/delegating-instrumentation.ts";
import { FAULT_HEADER, FaultEventIdContext, renderFaultMeta } from "./sentry/fault-event-id.ts";
import { findMonitoring } from "./sentry/monitoring.server.ts";
import { reportRequestFault } from "./sentry/report-fault.server.ts";

// The page handler makes each request's context, and must use this bundle's keys for it.
export { clientAddressContext, formTargetContext, nonceContext, proxyIdentityContext };

/** Requests that the page handler may refuse without the router. It uses the throttle of this bundle. */
export const refuseEarly = (asked: Parameters<typeof refuseSignInEarly>[1]) =>
  refuseSignInEarly(requireEntrance(), asked);

/** The SDK, bundled into a chunk of its own: loaded when it is wanted, and never when Culprit does not watch itself. */
export const loadSdk = () => import("./sentry/sdk.server.ts");

/** When promises that loaders gave away unfinished are given up. React itself is stopped a second later. */
export const streamTimeout = 5_000;

export const instrumentations = [createDelegatingInstrumentation(() => findMonitoring()?.instrumentation ?? null)];

/** Every fault of loaders, actions and rendering. */
export const handleError: HandleErrorFunction = (error, { request }) =>
  reportRequestFault(error, request, "react-router");

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const wait = loadContext.get(waitContext);
  if (status === 429 && wait !== null) return answerWithWaitPage({ ...wait, url: request.url, headers });
  const nonce = loadContext.get(nonceContext);
  const faultEventId = entryContext.staticHandlerContext.errors ? (findMonitoring()?.lastEventId() ?? null) : null;
  const stop = AbortSignal.timeout(streamTimeout + 1000);
  const signal = AbortSignal.any([request.signal, stop]);
  const rendering = await renderShell(
    <FaultEventIdContext value={faultEventId}>
      <ServerRouter context={entryContext} url={request.url} nonce={nonce || undefined} />
    </FaultEventIdContext>,
    {
      nonce,
      signal,
      // Crawlers want the whole page; people want its beginning at once.
      isWhole: isbot(request.headers.get("user-agent")),
      onError(error) {
        if (error !== stop.reason) reportRequestFault(error, request, "react-router.render");
      },
    },
  );

  const monitoring = findMonitoring();
  const head = monitoring
    ? monitoring.renderTraceMeta() + renderMonitoringMeta(monitoring.browser) + renderFaultMeta(faultEventId)
    : "";
  headers.set("content-type", "text/html; charset=utf-8");
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-cache");
  if (nonce) headers.set("content-security-policy", toContentSecurityPolicy(nonce, loadContext.get(formTargetContext)));
  const { input, body } = createDocumentStream(head);
  rendering.pipe(input);
  return new Response(body, { status, headers });
}

interface ShellOptions {
  nonce: string;
  /** Stops rendering the parts that are still missing. The browser does the rest. */
  signal: AbortSignal;
  /** True: waits for everything. False: sends the page before slow parts are loaded. */
  isWhole: boolean;
  onError: (error: unknown) => void;
}

/** Rejects when the page itself cannot be rendered. */
function renderShell(page: ReactNode, { nonce, signal, isWhole, onError }: ShellOptions): Promise<PipeableStream> {
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(page, {
      ...(nonce && { nonce }),
      onError,
      onShellError: reject,
      onShellReady: () => isWhole || resolve(stream),
      onAllReady: () => resolve(stream),
    });
    if (signal.aborted) stream.abort(signal.reason);
    else signal.addEventListener("abort", () => stream.abort(signal.reason), { once: true });
  });
}

/** Data of a page that failed carries the id of the report, as the document does. */
export const handleDataRequest: HandleDataRequestFunction = (response) => {
  const eventId = response.status >= 500 ? findMonitoring()?.lastEventId() : null;
  if (eventId) response.headers.set(FAULT_HEADER, eventId);
  return response;
};

/** Scripts only from here, or with this response's nonce; nothing of ours is ever framed, nor sends anywhere else. */
function toContentSecurityPolicy(nonce: string, formTarget: string | null): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    // React writes style attributes, and a nonce does not cover those.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    // Browsers hold redirects of forms to this, too: signing out leads on to the proxy.
    `form-action ${["'self'", formTarget].filter(Boolean).join(" ")}`,
    "frame-ancestors 'none'",
  ].join("; ");
}
