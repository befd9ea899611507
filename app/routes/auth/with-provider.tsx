import { data, redirect } from "react-router";
import { clientAddressContext, entranceContext, proxyIdentityContext, viewerContext } from "../../context.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { isAskedHere, listOwnOrigins } from "../../features/auth/require-own-origin.server.ts";
import { toLocalPath } from "../../features/auth/require-viewer.server.ts";
import { beginProviderSignIn } from "../../features/providers/begin-provider-sign-in.server.ts";
import { mayConnect } from "../../features/providers/confirm-connect.server.ts";
import { ProviderAnswerPage } from "../../features/providers/provider-answer-page.tsx";
import { PROVIDER_MODES } from "../../features/providers/provider-trip.ts";
import type { Route } from "./+types/with-provider.ts";

// A link and not a form, because the content security policy lets no form lead to another site.

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  const asked = url.searchParams.get("mode");
  const mode = PROVIDER_MODES.find((each) => each === asked) ?? "sign-in";
  // Another site must not be able to connect a person's account.
  const entrance = context.get(entranceContext);
  const ownOrigins = listOwnOrigins(entrance.settings.publicUrl, url.origin);
  if ((mode === "connect" || mode === "test") && !isAskedHere(request, ownOrigins))
    throw data("Begin this on the settings page.", { status: 403 });
  const viewer = context.get(viewerContext);
  const providerId = Number(params.provider);
  const now = Date.now();
  if (mode === "connect" && viewer && !(await mayConnect(entrance, { viewer, request, now, providerId })))
    throw data("Confirm with your password first, on Settings → Your sign-in.", { status: 403 });
  const begun = await beginProviderSignIn(entrance, {
    providerId,
    mode,
    to: toLocalPath(url.searchParams.get("to")),
    viewer,
    request,
    clientAddress: context.get(clientAddressContext),
    proxyIdentity: context.get(proxyIdentityContext),
    origin: url.origin,
    isSecure: url.protocol === "https:",
    now,
  });
  if (begun.ok) {
    const headers = new Headers({ "cache-control": "no-store" });
    for (const cookie of begun.cookies) headers.append("set-cookie", cookie);
    throw redirect(begun.url, { headers });
  }
  const { status, message, retryAfter } = begun;
  if (mode === "silent")
    throw redirect(`/sign-in?asked=1&to=${encodeURIComponent(toLocalPath(url.searchParams.get("to")))}`);
  if (status === 404) throw data(message, { status });
  const failed = { mode, providerId };
  if (retryAfter === null) return data({ ...failed, message }, { status });
  const wait = { reason: "too-many-attempts", retryAfterSeconds: retryAfter } as const;
  const busy = await answerBusy(context, wait, { signal: request.signal });
  return data({ ...failed, message: busy.message }, busy.init);
}

export default function WithProviderPage({ loaderData }: Route.ComponentProps) {
  return <ProviderAnswerPage {...loaderData} />;
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta() {
  return [{ title: "Sign in · Culprit" }];
}
