import { data } from "react-router";
import { entranceContext, viewerContext, workspaceContext } from "../../context.ts";
import { findPasskeySite } from "../../domain/people/passkey.ts";
import { requireViewer, toLocalPath } from "../../features/auth/require-viewer.server.ts";
import { changePasskeys, PASSKEY_INTENTS } from "../../features/passkeys/change-passkeys.server.ts";
import { PasskeyPanel } from "../../features/passkeys/passkey-panel.tsx";
import { confirmConnect } from "../../features/providers/confirm-connect.server.ts";
import { ConnectedProviders } from "../../features/providers/connected-providers.tsx";
import { FactorOnForms, FactorSetUpSteps, RecoveryCodes } from "../../features/second-factor/factor-steps.tsx";
import { revalidateConflict } from "../../features/second-factor/revalidate-conflict.ts";
import { changeSecondFactor, getSecondFactorState } from "../../features/second-factor/set-up-second-factor.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/security.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const entrance = context.get(entranceContext);
  const connected = await entrance.providerSignIns.listConnected(viewer.id);
  const { providers } = await entrance.providerSignIns.listOffered();
  const passkeys = await entrance.passkeys.listPasskeys(viewer.id);
  return {
    passkeys: passkeys.map(({ id, name, createdAt, usedAt, isBackedUp }) => ({
      ...{ id, name, createdAt, usedAt, isBackedUp },
    })),
    site: findPasskeySite({ publicUrl: entrance.settings.publicUrl, origin: url.origin }),
    connected,
    justConnected: connected.find(({ providerId }) => String(providerId) === url.searchParams.get("connected"))?.name,
    connectable: providers.filter(({ id }) => !connected.some(({ providerId }) => providerId === id)),
    email: viewer.email,
    factor: await getSecondFactorState(entrance, { viewer, host: url.hostname, now: Date.now() }),
    isRequired: context.get(workspaceContext).organization.requiresSecondFactor,
    // The page that the person wanted before a recovery code led them here.
    afterRecovery: url.searchParams.get("used") === "recovery-code" ? toLocalPath(url.searchParams.get("to")) : null,
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const isRequired = context.get(workspaceContext).organization.requiresSecondFactor;
  const form = await request.formData();
  if (PASSKEY_INTENTS.some((intent) => intent === form.get("intent"))) {
    const isSecure = url.protocol === "https:";
    const change = { viewer, form, request, origin: url.origin, isSecure, now: Date.now() };
    const result = await changePasskeys(context.get(entranceContext), change);
    if (!result.ok) return data(result, { status: result.status });
    const headers = result.setCookies.map((cookie): [string, string] => ["set-cookie", cookie]);
    return data({ ok: true as const, done: result.done, codes: null }, { headers });
  }
  if (form.get("intent") === "disconnect") {
    const providerId = Number(form.get("provider"));
    const isDone = await context
      .get(entranceContext)
      .providerSignIns.disconnectProvider({ providerId, userId: viewer.id });
    if (isDone) return { ok: true as const, done: "The provider is disconnected.", codes: null };
    return data(
      { ok: false as const, field: null, message: "It is not connected, or made your account." },
      { status: 409 },
    );
  }
  if (form.get("intent") === "connect") {
    const asked = { viewer, form, request, isSecure: url.protocol === "https:", now: Date.now() };
    const confirmed = await confirmConnect(context.get(entranceContext), asked);
    if (confirmed.ok) {
      const { providerId: confirmedProvider, setCookie } = confirmed;
      return data(
        { ok: true as const, done: null, codes: null, confirmedProvider },
        { headers: { "set-cookie": setCookie } },
      );
    }
    const wait = confirmed.retryAfter === null ? undefined : { "retry-after": String(confirmed.retryAfter) };
    return data(confirmed, { status: confirmed.status, ...(wait && { headers: wait }) });
  }
  const result = await changeSecondFactor(context.get(entranceContext), {
    viewer,
    form,
    request,
    isRequired,
    now: Date.now(),
  });
  if (result.ok) return result;
  const headers = result.retryAfter === null ? undefined : { "retry-after": String(result.retryAfter) };
  return data(result, { status: result.status, ...(headers && { headers }) });
}

export const shouldRevalidate = revalidateConflict;

export default function SecurityPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, factor, isRequired, connected, connectable, passkeys, site, afterRecovery, justConnected } =
    loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const error = refusal && refusal.field !== null ? { field: refusal.field, message: refusal.message } : null;
  const done = actionData?.ok ? actionData : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Your sign-in" trail={[{ label: "Settings", to: "/settings" }]} />
      {afterRecovery !== null && factor.on && !actionData && (
        <Notice
          tone="warning"
          title="You signed in with a recovery code"
          actions={
            <LinkButton to={afterRecovery} size="sm">
              Go on
            </LinkButton>
          }
        >
          It does not work again. Make new ones below before you need them.
        </Notice>
      )}
      {justConnected !== undefined && !actionData && (
        <Notice tone="done" title={`${justConnected} is connected. You can sign in with it.`} />
      )}
      {done?.done && <Notice tone="done" title={done.done} />}
      {refusal && (refusal.field === null || refusal.field === "intent") && (
        <Notice tone="error" title={refusal.message} />
      )}
      {done?.codes && <RecoveryCodes codes={done.codes} />}
      <Panel
        title="Two-factor sign-in"
        description="After your password, sign-in asks for a code of an app on your phone. Somebody who learns your password cannot sign in with it."
      >
        {factor.on ? (
          <FactorOnForms
            key={`on ${done?.done}`}
            recoveryCodesLeft={factor.on.recoveryCodesLeft}
            isRequired={isRequired}
            error={error}
          />
        ) : (
          <FactorSetUpSteps key={factor.setUp ? "scan" : "begin"} state={factor} email={email} error={error} />
        )}
      </Panel>
      <PasskeyPanel
        key={`passkeys ${passkeys.map(({ id, name }) => `${id} ${name}`).join()}`}
        passkeys={passkeys}
        site={site}
        hasPassword={factor.hasPassword}
        error={error?.field === "confirm" ? null : error}
      />
      <ConnectedProviders
        connected={connected}
        connectable={connectable}
        hasPassword={factor.hasPassword}
        confirmed={
          done && "confirmedProvider" in done && typeof done.confirmedProvider === "number"
            ? done.confirmedProvider
            : null
        }
        error={error}
      />
    </div>
  );
}

/** This page shows a secret and recovery codes, so the browser must not cache it. Its answer also has `Retry-After`. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  const all = new Headers(actionHeaders);
  all.set("cache-control", "no-store");
  return all;
}

export function meta() {
  return [{ title: "Your sign-in · Culprit" }];
}

export const handle = { section: "settings" };
