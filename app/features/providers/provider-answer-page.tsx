import { TextLink } from "../../ui/text-link.tsx";
import { AuthPage } from "../auth/auth-page.tsx";
import { FormError } from "../auth/form-error.tsx";
import type { ProviderMode } from "./provider-trip.ts";

/** The page that says why a sign-in, test or connection at a provider failed. */
export function ProviderAnswerPage({
  mode,
  providerId,
  message,
}: {
  /** Null: it is not known what began this. */
  mode: ProviderMode | null;
  providerId: number;
  message: string;
}) {
  const { title, to, back } = describe(mode, providerId);
  return (
    <AuthPage title={title}>
      <div className="grid gap-4">
        <FormError>{message}</FormError>
        <p className="text-center text-sm">
          <TextLink to={to}>{back}</TextLink>
        </p>
      </div>
    </AuthPage>
  );
}

/** The title, and the way back. People who test or connect stay signed in. */
function describe(mode: ProviderMode | null, providerId: number): { title: string; to: string; back: string } {
  if (mode === "test")
    return {
      title: "The test sign-in failed",
      to: `/settings/sign-in/${providerId}`,
      back: "Back to the settings of the provider",
    };
  if (mode === "connect")
    return { title: "Your account is not connected", to: "/settings/security", back: "Back to your sign-in" };
  // `asked`: behind a proxy that names people, the sign-in page would otherwise lead back here by itself, and never show the form for a
  // password.
  return { title: "You are not signed in", to: "/sign-in?asked=1", back: "Back to the sign-in" };
}
