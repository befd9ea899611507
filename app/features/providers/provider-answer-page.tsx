import { TextLink } from "../../ui/text-link.tsx";
import { AuthPage } from "../auth/auth-page.tsx";
import { FormError } from "../auth/form-error.tsx";

/** Why a provider did not lead to a sign-in. */
export function ProviderAnswerPage({ message }: { message: string }) {
  return (
    <AuthPage title="You are not signed in">
      <div className="grid gap-4">
        <FormError>{message}</FormError>
        <p className="text-center text-sm">
          <TextLink to="/sign-in">Back to the sign-in</TextLink>
        </p>
      </div>
    </AuthPage>
  );
}
