import { data, Form, redirect, useNavigation } from "react-router";
import { entranceContext, viewerContext } from "../../context.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { EmailField, NameField, NewPasswordField } from "../../features/auth/credential-fields.tsx";
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from "../../features/auth/credential-limits.ts";
import { finishSignIn } from "../../features/auth/finish-sign-in.server.ts";
import { FormError } from "../../features/auth/form-error.tsx";
import { GoneLink } from "../../features/auth/gone-link.tsx";
import { toSecretLinkHeaders } from "../../features/auth/secret-link-headers.ts";
import {
  acceptInvitation,
  findInvitation,
  isMeant,
  joinByInvitation,
} from "../../features/people/accept-invitation.server.ts";
import { sayRole, withArticle } from "../../features/people/access-words.ts";
import { useFaultEventId } from "../../sentry/fault-event-id.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/invitation.ts";

const OTHER_ADDRESS = "This invitation is for another address. Sign out, and open its link again.";
const GONE = "This invitation is used, revoked or over. Ask for a new one.";

export async function loader({ context, params }: Route.LoaderArgs) {
  const entrance = context.get(entranceContext);
  const [invitation, organization] = await Promise.all([
    findInvitation(entrance, params.token, Date.now()),
    entrance.people.getOrganization(),
  ]);
  if (!invitation || !organization) throw data(GONE, { status: 404 });
  const viewer = context.get(viewerContext);
  const { email, role, invitedBy, expiresAt } = invitation;
  return {
    organization: organization.name,
    email,
    role,
    invitedBy,
    expiresAt,
    viewer: viewer && { email: viewer.email, isMeant: isMeant(invitation, viewer) },
  };
}

export async function action({ context, request, params, url }: Route.ActionArgs) {
  const entrance = context.get(entranceContext);
  const viewer = context.get(viewerContext);
  const form = await request.formData();
  const { token } = params;
  const now = Date.now();
  if (viewer) {
    const joined = await joinByInvitation(entrance, { token, viewer, now });
    if (joined === "joined") throw redirect("/issues");
    if (joined === "gone") throw data(GONE, { status: 404 });
    return data({ form: null, errors: {}, message: OTHER_ADDRESS, hasAccount: false }, 403);
  }
  const result = await acceptInvitation(entrance, { token, form, signal: request.signal, now });
  if (result.ok) {
    const who = { userId: result.userId, request, isSecure: url.protocol === "https:", now, by: "invitation" };
    return finishSignIn(entrance, "/issues", who);
  }
  const typed = {
    name: String(form.get("name") ?? "").slice(0, MAX_NAME_LENGTH),
    email: String(form.get("email") ?? "").slice(0, MAX_EMAIL_LENGTH),
  };
  const refuse = { form: typed, errors: {}, message: "", hasAccount: false };
  switch (result.reason) {
    case "gone":
      throw data(GONE, { status: 404 });
    case "wrong":
      return data({ ...refuse, errors: result.errors }, { status: 400 });
    case "has-account":
      return data({ ...refuse, hasAccount: true }, { status: 409 });
    case "too-many-attempts":
    case "busy": {
      const { message, init } = await answerBusy(context, result, { signal: request.signal, typed: form });
      return data({ ...refuse, message }, init);
    }
  }
}

export default function InvitationPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { organization, email, role, invitedBy, expiresAt, viewer } = loaderData;
  const isPending = useNavigation().state !== "idle";
  const errors: { name?: string; email?: string; password?: string } = actionData?.errors ?? {};
  const here = encodeURIComponent(`/invitation/${params.token}`);
  const signIn = `/sign-in?to=${here}`;
  if (viewer && !viewer.isMeant)
    return (
      <AuthPage title={`Join ${organization}`}>
        <div className="grid gap-4">
          <p className="wrap-anywhere text-sm">
            This invitation is for <strong>{email}</strong>, and you are signed in as <strong>{viewer.email}</strong>.
            Sign out to use it.
          </p>
          <div className="flex flex-wrap gap-2">
            <ButtonForm action={`/sign-out?to=${here}`} variant="primary" isPending={isPending}>
              Sign out and go on
            </ButtonForm>
            <LinkButton to="/issues">Stay signed in</LinkButton>
          </div>
        </div>
      </AuthPage>
    );
  return (
    <AuthPage
      title={`Join ${organization}`}
      intro={`${invitedBy ?? "Somebody"} invites you as ${withArticle(role)}. ${sayRole(role)}`}
    >
      <Form method="post" className="grid gap-4">
        {actionData?.message && <FormError>{actionData.message}</FormError>}
        {actionData?.hasAccount && (
          <p role="alert" className="rounded-md bg-error-wash px-3 py-2 text-error text-sm">
            There is an account with this address. <TextLink to={signIn}>Sign in</TextLink>, and the invitation is used
            for it.
          </p>
        )}
        {viewer ? (
          <p className="wrap-anywhere text-sm">
            You are signed in as <strong>{viewer.email}</strong>. The invitation adds its teams and projects to your
            account. You keep the higher role.
          </p>
        ) : (
          <>
            <NameField defaultValue={actionData?.form?.name} error={errors.name} />
            {email === null ? (
              <EmailField defaultValue={actionData?.form?.email} error={errors.email} />
            ) : (
              <EmailField defaultValue={email} readOnly hint="The invitation is for this address." />
            )}
            <NewPasswordField label="Password" name="password" error={errors.password} />
          </>
        )}
        <p className="text-muted text-xs">
          {email === null ? "Anybody who has this link can join with it, once, until " : "The link works once, until "}
          <AbsoluteTime at={expiresAt} />.
        </p>
        <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-2">
          Join {organization}
        </Button>
        {!viewer && (
          <p className="text-center text-sm">
            <TextLink to={signIn}>I have an account</TextLink>
          </p>
        )}
      </Form>
    </AuthPage>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <GoneLink error={error} eventId={useFaultEventId(error)}>
      You have an account already? <TextLink to="/sign-in">Sign in</TextLink>.
    </GoneLink>
  );
}

export const headers: Route.HeadersFunction = toSecretLinkHeaders;

export function meta() {
  return [{ title: "Invitation · Culprit" }];
}
