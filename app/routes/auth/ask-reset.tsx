import { data, Form, useNavigation } from "react-router";
import { clientAddressContext, entranceContext } from "../../context.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { EmailField } from "../../features/auth/credential-fields.tsx";
import { MAX_EMAIL_LENGTH } from "../../features/auth/credential-limits.ts";
import { FormError } from "../../features/auth/form-error.tsx";
import { askForReset, mailsResets } from "../../features/auth/reset-password.server.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/ask-reset.ts";

export function loader({ context }: Route.LoaderArgs) {
  return { sendsMail: mailsResets(context.get(entranceContext)) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const email = String(form.get("email") ?? "");
  const clientAddress = context.get(clientAddressContext);
  const asked = await askForReset(context.get(entranceContext), { email, clientAddress, now: Date.now() });
  const typed = email.slice(0, MAX_EMAIL_LENGTH);
  if (asked.ok) return { isSent: true, email: typed, error: null };
  const { retryAfterSeconds, message } = asked;
  if (retryAfterSeconds === null) return data({ isSent: false, email: typed, error: message }, { status: 400 });
  const busy = await answerBusy(
    context,
    { reason: "too-many-attempts", retryAfterSeconds },
    { signal: request.signal, typed: form },
  );
  return data({ isSent: false, email: typed, error: busy.message }, busy.init);
}

export default function AskResetPage({ loaderData: { sendsMail }, actionData }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  return (
    <AuthPage title="Forgot your password?">
      <div className="grid gap-4">
        {actionData?.isSent ? (
          <Notice tone="done" title="Look at your mail">
            <p>If a member has this address, a link is on its way to it. It works once, for 24 hours.</p>
          </Notice>
        ) : sendsMail ? (
          <Form method="post" className="grid gap-4">
            {actionData?.error && <FormError>{actionData.error}</FormError>}
            <EmailField defaultValue={actionData?.email} hint="You get a link to it." />
            <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-2">
              Send a link
            </Button>
          </Form>
        ) : (
          <p className="text-sm">
            This server mails no links. An owner can make a link for you on <em>Settings → Members</em>. Who may read
            the data folder can run <code>npm run account -- reset-password</code>, or{" "}
            <code>culprit account reset-password</code>.
          </p>
        )}
        <p className="text-center text-sm">
          <TextLink to="/sign-in">Back to the sign-in</TextLink>
        </p>
      </div>
    </AuthPage>
  );
}

/** The answer with the page also has `Retry-After`. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  return [{ title: "Forgot your password? · Culprit" }];
}
