import { useEffect } from "react";
import { data, Form, redirect, redirectDocument, useNavigation } from "react-router";
import { clientAddressContext, entranceContext, proxyIdentityContext, viewerContext } from "../../context.ts";
import { findPasskeySite } from "../../domain/people/passkey.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { EmailField } from "../../features/auth/credential-fields.tsx";
import { MAX_EMAIL_LENGTH } from "../../features/auth/credential-limits.ts";
import { FormError } from "../../features/auth/form-error.tsx";
import { signInThrottle as throttle } from "../../features/auth/own-throttle.server.ts";
import { toLocalPath } from "../../features/auth/require-viewer.server.ts";
import { findDueProvider } from "../../features/auth/session.server.ts";
import { signIn } from "../../features/auth/sign-in.server.ts";
import { PasskeySignIn } from "../../features/passkeys/passkey-sign-in.tsx";
import { signInByPasskey } from "../../features/passkeys/sign-in-by-passkey.server.ts";
import { ProviderButtons } from "../../features/providers/provider-buttons.tsx";
import { forgetSearches } from "../../features/search/remembered-searches.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/sign-in.ts";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { people, passkeys, providerSignIns, settings } = context.get(entranceContext);
  const organization = await people.getOrganization();
  if (!organization) throw redirect("/set-up");
  if (context.get(viewerContext)) throw redirect(toLocalPath(url.searchParams.get("to")));
  const offered = await providerSignIns.listOffered();
  const { isRequired } = offered;
  const isNamed = context.get(proxyIdentityContext) !== null;
  // A person who came past the proxy cannot sign in by it.
  const providers = offered.providers.filter(({ kind }) => kind !== "proxy" || isNamed);
  const search = url.searchParams.has("to") ? `?to=${encodeURIComponent(toLocalPath(url.searchParams.get("to")))}` : "";
  const proxy = providers.find(({ kind }) => kind === "proxy");
  if (proxy && !url.searchParams.has("asked")) throw redirectDocument(`/sign-in/with/${proxy.id}${search}`);
  const due = await findDueProvider(people, { request, now: Date.now() });
  // GitHub always asks the person, whatever the request says.
  if (!url.searchParams.has("asked") && providers.some(({ id, kind }) => id === due && kind !== "github"))
    throw redirectDocument(`/sign-in/with/${due}?mode=silent${search.replace("?", "&")}`);
  return {
    providers,
    isRequired,
    search,
    hasPasskeys: await passkeys.hasPasskeys(),
    // At another site the button says where passkeys work. The browser asks for suggestions by itself, and must not be refused.
    suggestsPasskeys: findPasskeySite({ publicUrl: settings.publicUrl, origin: url.origin }).ok,
    wasRefused: url.searchParams.get("only") === "provider" && isRequired,
    hasNewAddress: url.searchParams.get("changed") === "address",
    hasLeft: url.searchParams.get("changed") === "left",
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const entrance = context.get(entranceContext);
  const { audit } = entrance;
  const form = await request.formData();
  if (form.get("intent") === "passkey") return await takePasskey(context, { form, request, url });
  const email = String(form.get("email") ?? "");
  const password = String(form.get("password") ?? "");
  const clientAddress = context.get(clientAddressContext);
  const result = await signIn({ ...entrance, throttle }, toLocalPath(url.searchParams.get("to")), {
    ...{ email, password, request, clientAddress, isSecure: url.protocol === "https:", now: Date.now() },
  });
  if (result.ok) return result.response;
  switch (result.reason) {
    case "too-long":
      return data({ email: email.slice(0, MAX_EMAIL_LENGTH), error: result.message }, { status: 400 });
    case "wrong-credentials":
      audit.failedSignIns.count({ account: result.account, address: clientAddress });
      return data({ email, error: "E-mail or password is wrong." }, { status: 400 });
    case "too-many-attempts":
    case "busy": {
      const { message, init } = await answerBusy(context, result, { signal: request.signal, typed: form });
      return data({ email, error: message }, init);
    }
  }
}

async function takePasskey(
  context: Route.ActionArgs["context"],
  { form, request, url }: Pick<Route.ActionArgs, "request" | "url"> & { form: FormData },
) {
  const entrance = context.get(entranceContext);
  const clientAddress = context.get(clientAddressContext);
  const result = await signInByPasskey(entrance, {
    answer: String(form.get("answer") ?? ""),
    to: toLocalPath(url.searchParams.get("to")),
    ...{ request, clientAddress, origin: url.origin, isSecure: url.protocol === "https:", now: Date.now() },
  });
  if (result.ok) return result.response;
  if (result.reason === "too-many-attempts") {
    const { reason, retryAfterSeconds } = result;
    const { message, init } = await answerBusy(context, { reason, retryAfterSeconds }, { signal: request.signal });
    return data({ email: "", error: message }, init);
  }
  const { message, account } = result.reason === "wrong" ? result : { message: "Try again.", account: null };
  entrance.audit.failedSignIns.count({ account, address: clientAddress });
  return data({ email: "", error: message }, { status: 400 });
}

export default function SignInPage({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  useEffect(forgetSearches, []);
  return (
    <AuthPage title="Sign in">
      {loaderData.hasNewAddress && !actionData && (
        <Notice tone="done" title="Your address is changed. Sign in with it." className="mb-4" />
      )}
      {loaderData.hasLeft && !actionData && (
        <Notice
          tone="done"
          title="You left the organization. An owner or a manager can add you again."
          className="mb-4"
        />
      )}
      {loaderData.wasRefused && !actionData && (
        <div className="pb-4">
          <FormError>Your organization signs in with a provider: choose it here. Only owners use a password.</FormError>
        </div>
      )}
      <ProviderButtons {...loaderData} />
      <Form method="post" className="grid gap-4">
        {actionData && (
          <p role="alert" className="rounded-md bg-error-wash px-3 py-2 font-semibold text-error text-sm">
            {actionData.error}
          </p>
        )}
        <EmailField
          defaultValue={actionData?.email}
          {...(loaderData.hasPasskeys && { autoComplete: "username webauthn" })}
        />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-2">
          Sign in
        </Button>
        {loaderData.hasPasskeys && <PasskeySignIn purpose="sign-in" isSuggested={loaderData.suggestsPasskeys} />}
        <p className="text-center text-sm">
          <TextLink to="/reset-password">Forgot your password?</TextLink>
        </p>
      </Form>
    </AuthPage>
  );
}

/** The answer with the page also has `Retry-After`. A document has only the headers that its route returns. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  return [{ title: "Sign in · Culprit" }];
}
