import { data, Form, redirect, useNavigation } from "react-router";
import { clientAddressContext, entranceContext, viewerContext } from "../../context.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { findFirstStep, giveCode } from "../../features/auth/finish-sign-in.server.ts";
import { FormError } from "../../features/auth/form-error.tsx";
import { toLocalPath } from "../../features/auth/require-viewer.server.ts";
import { PasskeySignIn } from "../../features/passkeys/passkey-sign-in.tsx";
import { giveCodeByPasskey } from "../../features/passkeys/sign-in-by-passkey.server.ts";
import { CodeOfAppField } from "../../features/second-factor/code-of-app-field.tsx";
import { Button } from "../../ui/button.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/code.ts";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  if (context.get(viewerContext)) throw redirect(toLocalPath(url.searchParams.get("to")));
  const entrance = context.get(entranceContext);
  const step = await findFirstStep(entrance, { request, now: Date.now() });
  if (!step) throw redirect(`/sign-in${url.search}`);
  return { email: step.email, hasPasskeys: (await entrance.passkeys.listPasskeys(step.userId)).length > 0 };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await request.formData();
  const entrance = context.get(entranceContext);
  const clientAddress = context.get(clientAddressContext);
  const sender = {
    to: toLocalPath(url.searchParams.get("to")),
    clientAddress,
    request,
    isSecure: url.protocol === "https:",
    now: Date.now(),
  };
  const result =
    form.get("intent") === "passkey"
      ? await giveCodeByPasskey(entrance, { ...sender, answer: String(form.get("answer") ?? ""), origin: url.origin })
      : await giveCode(entrance, { ...sender, text: String(form.get("code") ?? "") });
  if (result.ok) return result.response;
  switch (result.reason) {
    case "gone":
      throw redirect(`/sign-in${url.search}`);
    case "wrong":
      entrance.audit.failedSignIns.count({ account: result.account, address: clientAddress });
      return data({ error: result.message }, { status: 400 });
    case "too-many-attempts": {
      const { reason, retryAfterSeconds } = result;
      const { message, init } = await answerBusy(
        context,
        { reason, retryAfterSeconds },
        { signal: request.signal, typed: form },
      );
      return data({ error: message }, init);
    }
  }
}

export default function CodePage({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  return (
    <AuthPage title="Enter your code" intro={`For ${loaderData.email}. Your authenticator app shows it.`}>
      <Form method="post" className="grid gap-4">
        {actionData && <FormError>{actionData.error}</FormError>}
        <CodeOfAppField hint="Without your phone, enter one of your recovery codes." isFirst />
        <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-2">
          Sign in
        </Button>
        {loaderData.hasPasskeys && <PasskeySignIn purpose="code" />}
        <p className="text-center text-sm">
          <TextLink to="/sign-in">Sign in as somebody else</TextLink>
        </p>
      </Form>
    </AuthPage>
  );
}

/** The answer with the page also has `Retry-After`. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  const all = new Headers(actionHeaders);
  all.set("cache-control", "no-store");
  return all;
}

export function meta() {
  return [{ title: "Enter your code · Culprit" }];
}
