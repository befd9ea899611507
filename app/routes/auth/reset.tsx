import { data, Form, useNavigation } from "react-router";
import { entranceContext } from "../../context.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { EmailField, NewPasswordField } from "../../features/auth/credential-fields.tsx";
import { finishSignIn } from "../../features/auth/finish-sign-in.server.ts";
import { FormError } from "../../features/auth/form-error.tsx";
import { GoneLink } from "../../features/auth/gone-link.tsx";
import { findReset, resetPassword } from "../../features/auth/reset-password.server.ts";
import { toSecretLinkHeaders } from "../../features/auth/secret-link-headers.ts";
import { useFaultEventId } from "../../sentry/fault-event-id.ts";
import { Button } from "../../ui/button.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/reset.ts";

const GONE = "This link is used or over. Ask for a new one.";

export async function loader({ context, params }: Route.LoaderArgs) {
  const reset = await findReset(context.get(entranceContext), params.token, Date.now());
  if (!reset) throw data(GONE, { status: 404 });
  return { email: reset.email };
}

export async function action({ context, request, params, url }: Route.ActionArgs) {
  const entrance = context.get(entranceContext);
  const form = await request.formData();
  const password = String(form.get("password") ?? "");
  const sender = { request, isSecure: url.protocol === "https:", now: Date.now() };
  const result = await resetPassword(entrance, { ...sender, token: params.token, password });
  if (result.ok)
    return finishSignIn(entrance, "/issues", { ...sender, userId: result.userId, by: "link for a new password" });
  switch (result.reason) {
    case "gone":
      throw data(GONE, { status: 404 });
    case "wrong":
      return data({ field: result.message, error: null }, { status: 400 });
    case "too-many-attempts":
    case "busy": {
      const { message, init } = await answerBusy(context, result, { signal: request.signal, typed: form });
      return data({ field: null, error: message }, init);
    }
  }
}

export default function ResetPage({ loaderData, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  return (
    <AuthPage title="Set a new password" intro="Sessions on other devices end.">
      <Form method="post" className="grid gap-4">
        {actionData?.error && <FormError>{actionData.error}</FormError>}
        <EmailField defaultValue={loaderData.email} readOnly />
        <NewPasswordField label="New password" name="password" error={actionData?.field ?? null} />
        <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-2">
          Save and sign in
        </Button>
      </Form>
    </AuthPage>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <GoneLink error={error} eventId={useFaultEventId(error)}>
      <TextLink to="/reset-password">Ask for a new link</TextLink>, or <TextLink to="/sign-in">sign in</TextLink>.
    </GoneLink>
  );
}

export const headers: Route.HeadersFunction = toSecretLinkHeaders;

export function meta() {
  return [{ title: "Set a new password · Culprit" }];
}
