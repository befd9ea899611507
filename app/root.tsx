import "./app.css";
import type { ReactNode } from "react";
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteError, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/root.ts";
import { requireEntrance } from "./access/enter.server.ts";
import { needsSecondFactor, refuseRoute } from "./access/route-rights.server.ts";
import {
  clientAddressContext,
  entranceContext,
  proxyIdentityContext,
  viewerContext,
  workspaceContext,
} from "./context.ts";
import { API_SCOPES } from "./domain/api-token.ts";
import { type AuditActor, memberActor } from "./domain/audit/audit-entry.ts";
import { READ_AGAIN_SECONDS } from "./domain/read-limit.ts";
import { requireOwnOrigin } from "./features/auth/require-own-origin.server.ts";
import { carrySession, getViewer, setsSession } from "./features/auth/session.server.ts";
import { ErrorPage } from "./features/frame/error-page.tsx";
import { Frame } from "./features/frame/frame.tsx";
import { keepPageOfRefusedForm, keepPageOfRefusedReading } from "./features/frame/keep-page.ts";
import { PlainFrame } from "./features/frame/plain-frame.tsx";
import { isForPage, refusePage } from "./features/frame/refused-page.server.ts";
import { toRefusedPage } from "./features/frame/refused-page.ts";
import { readTheme } from "./features/frame/theme-cookie.server.ts";
import { forgetIssueLists } from "./features/issues/remembered-lists.ts";
import { requireSecondFactor } from "./features/second-factor/require-second-factor.server.ts";
import { noteMissingDays } from "./features/storage/note-missing-days.server.ts";
import { prefetchMiddleware } from "./navigation/prefetch.server.ts";
import { importOptional } from "./navigation/stale-build.ts";
import { usePendingAfter } from "./navigation/use-pending-after.ts";
import { useFaultEventId } from "./sentry/fault-event-id.ts";
import { ClockProvider } from "./ui/clock.tsx";
import monoFont from "./ui/fonts/atkinson-hyperlegible-mono-latin.woff2?url";
import sansFont from "./ui/fonts/atkinson-hyperlegible-next-latin.woff2?url";
import { OptionalLoadContext } from "./ui/optional-load.ts";
import { PendingBar } from "./ui/pending-bar.tsx";
import { ToastProvider } from "./ui/toast.tsx";
import { TooltipLayer } from "./ui/tooltip-layer.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  async ({ context, request, url, pattern }, next) => {
    const entrance = requireEntrance();
    const proxyIdentity = context.get(proxyIdentityContext);
    const { publicUrl } = entrance.settings;
    requireOwnOrigin(request, { publicUrl, isNamedByProxy: proxyIdentity !== null });
    context.set(entranceContext, entrance);
    const isSecure = url.protocol === "https:";
    const { viewer, cookie } = await getViewer(entrance, { request, isSecure, proxyIdentity, now: Date.now() });
    context.set(viewerContext, viewer);
    const actor: AuditActor = {
      ...(viewer ? memberActor(viewer) : { kind: "stranger", id: null, name: "somebody who is not signed in" }),
      address: context.get(clientAddressContext),
    };
    const workspace = viewer && (await entrance.openWorkspace({ user: viewer, rights: API_SCOPES }));
    if (workspace) context.set(workspaceContext, workspace);
    if (workspace && needsSecondFactor(pattern)) await requireSecondFactor(entrance, { workspace, request, url });
    const refused = refuseRoute(pattern, request.method, workspace?.scope ?? null);
    if (refused !== null) {
      const isPage = viewer && workspace && isForPage(request);
      throw data(isPage ? await refusePage(refused, { workspace, viewer, request }) : refused, { status: 403 });
    }
    const asker = viewer && { user: viewer, tokenId: null };
    const response = await entrance.actAs(actor, () => entrance.readFor(asker, next));
    // The answer of a loader has it, and the page around that has not.
    if (response.status === 503 && !response.headers.has("retry-after"))
      response.headers.set("retry-after", String(READ_AGAIN_SECONDS));
    if (workspace) noteMissingDays(response.headers, workspace.storage.lostDays());
    if (cookie && !setsSession(response.headers)) carrySession(response.headers, cookie);
    return response;
  },
  prefetchMiddleware,
];

/**
 * After an action, lists that were shown before may be wrong. A form or a reading that is refused or fails leaves the page as it is, unless
 * the person goes to another page.
 */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request }, next) => {
    const router = window.__reactRouterDataRouter;
    const isInBackground = router?.state.navigation.state === "idle";
    const results = await next();
    // Nobody waits for these any more.
    if (request.signal.aborted) return results;
    if (request.method === "GET")
      return isInBackground ? keepPageOfRefusedReading(results, router.state.loaderData) : results;
    forgetIssueLists();
    return keepPageOfRefusedForm(results);
  },
];

export function loader({ request }: Route.LoaderArgs) {
  return { theme: readTheme(request), renderedAt: Date.now() };
}

/** The document around every page, errors included: it must not depend on anything that can fail. */
export function Layout({ children }: { children: ReactNode }) {
  const refused = toRefusedPage(useRouteError());
  const loaded = useRouteLoaderData<typeof loader>("root");
  const theme = refused?.theme ?? loaded?.theme ?? "system";
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={theme === "dark" ? DARK : LIGHT} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={theme === "light" ? LIGHT : DARK} />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="preload" href={sansFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={monoFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** `canvas` in the notation that the browser's own bars understand. */
const LIGHT = "#f4f4f0";
const DARK = "#0f110f";

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <ClockProvider renderedAt={loaderData.renderedAt}>
      <OptionalLoadContext value={importOptional}>
        <ToastProvider>
          <PendingBar isPending={usePendingAfter()} />
          <Outlet />
          <TooltipLayer />
        </ToastProvider>
      </OptionalLoadContext>
    </ClockProvider>
  );
}

/** A page that a role does not allow keeps its frame. After other errors at this level, the viewer is unknown. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} eventId={useFaultEventId(error)} />;
  const isPending = usePendingAfter();
  const refused = toRefusedPage(error);
  if (!refused) return <PlainFrame>{page}</PlainFrame>;
  return (
    <ClockProvider renderedAt={refused.frame.backlog.at}>
      <ToastProvider>
        <PendingBar isPending={isPending} />
        <Frame {...refused.frame}>{page}</Frame>
        <TooltipLayer />
      </ToastProvider>
    </ClockProvider>
  );
}

export function meta({ error }: Route.MetaArgs) {
  // An error page has a title of its own.
  return error ? [] : [{ title: "Culprit" }];
}
