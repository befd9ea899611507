import { data, Form, redirect, useNavigation } from "react-router";
import { entranceContext, viewerContext } from "../../context.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { findEmailChange, takeEmailLink } from "../../features/auth/change-email.server.ts";
import { GoneLink } from "../../features/auth/gone-link.tsx";
import { toSecretLinkHeaders } from "../../features/auth/secret-link-headers.ts";
import { useFaultEventId } from "../../sentry/fault-event-id.ts";
import { Button } from "../../ui/button.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/change-email.ts";

const GONE = "This link is used or over, or somebody else has the address by now.";

export async function loader({ context, params }: Route.LoaderArgs) {
  const change = await findEmailChange(context.get(entranceContext), params.token, Date.now());
  if (!change) throw data(GONE, { status: 404 });
  const { isUndo, from, to } = change;
  return { isUndo, from, to };
}

// A button does it and not the link itself, because programs that check mails open every link.
export async function action({ context, params }: Route.ActionArgs) {
  const result = await takeEmailLink(context.get(entranceContext), { token: params.token, now: Date.now() });
  switch (result.kind) {
    case "gone":
      throw data(GONE, { status: 404 });
    case "undone":
      throw redirect(`/reset-password/${result.resetToken}`);
    case "confirmed":
      throw redirect(
        context.get(viewerContext) ? "/settings?changed=address" : "/sign-in?changed=address&to=%2Fsettings",
      );
  }
}

export default function ChangeEmailPage({ loaderData: { isUndo, from, to } }: Route.ComponentProps) {
  const isPending = useNavigation().state !== "idle";
  return (
    <AuthPage
      title={isUndo ? "Take the change back" : "Confirm your address"}
      intro={
        isUndo
          ? `The account signs in with ${from} now. It goes back to ${to}: all sessions end, and you set a new password.`
          : `You sign in with ${from} until you press the button, and with ${to} from then on.`
      }
    >
      <Form method="post" className="grid gap-4">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          isPending={isPending}
          className="wrap-anywhere h-auto! min-h-10 whitespace-normal! py-2"
        >
          {isUndo ? `Go back to ${to}` : `Use ${to}`}
        </Button>
      </Form>
    </AuthPage>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <GoneLink error={error} eventId={useFaultEventId(error)}>
      Change your address on <TextLink to="/settings">Settings</TextLink>, or <TextLink to="/sign-in">sign in</TextLink>
      .
    </GoneLink>
  );
}

/** The address is a secret: it goes into no cache, and is not sent to other sites. */
export const headers: Route.HeadersFunction = toSecretLinkHeaders;

export function meta() {
  return [{ title: "Your address · Culprit" }];
}
