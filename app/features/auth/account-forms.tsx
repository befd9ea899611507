import type { User } from "../../domain/user.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";
import { ROLE_WORDS } from "../people/access-words.ts";
import { EmailField, NameField, NewPasswordField } from "./credential-fields.tsx";
import type { PasswordState } from "./password-state.server.ts";

type FieldError = { field: string; message: string } | null;

/** The form for the viewer's name and address. */
export function ProfileForm({
  viewer,
  hasPassword,
  typed,
  error,
}: {
  viewer: Pick<User, "name" | "email" | "role">;
  hasPassword: boolean;
  typed: TypedFields | null;
  error: FieldError;
}) {
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  const begin = beginWith(typed, "profile");
  return (
    <Panel title="You" description={`${ROLE_WORDS[viewer.role].label}: ${ROLE_WORDS[viewer.role].may}`}>
      <IntentForm intent="profile" submit="Save">
        <NameField defaultValue={begin.text("name", viewer.name)} error={errorOf("name")} />
        <EmailField
          hint={hasPassword ? "You sign in with it." : "Your provider gave it. It can change once you have a password."}
          defaultValue={begin.text("email", viewer.email)}
          readOnly={!hasPassword}
          error={errorOf("email")}
        />
        {hasPassword && (
          <TextField
            label="Confirm with your password"
            {...field("confirm")}
            type="password"
            autoComplete="current-password"
            required
          />
        )}
      </IntentForm>
    </Panel>
  );
}

/** Replaces the password form for a person whose account a provider made. */
export function NoPassword({ state }: { state: Exclude<PasswordState, { kind: "has" }> }) {
  return (
    <Panel title="Password">
      {state.kind === "not-allowed" ? (
        <p className="text-sm">
          Your account has no password. Your organization signs in with a provider, and only owners have one.
        </p>
      ) : state.sendsMail ? (
        <IntentForm intent="mail-password" submit="Mail me a link">
          <p className="text-sm">
            Your account has no password: you sign in with a provider. With a password you can sign in here, too.
          </p>
        </IntentForm>
      ) : (
        <p className="text-sm">
          Your account has no password: you sign in with a provider. This server mails no links, so an owner makes one
          for you on <em>Settings → Members</em> if you want a password.
        </p>
      )}
    </Panel>
  );
}

export function PasswordForm({ email, error }: { email: string; error: FieldError }) {
  const field = toFieldOf(error);
  return (
    <Panel title="Password">
      <IntentForm intent="password" submit="Change password">
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <TextField
          label="Current password"
          {...field("current")}
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPasswordField label="New password" {...field("next")} />
      </IntentForm>
    </Panel>
  );
}
