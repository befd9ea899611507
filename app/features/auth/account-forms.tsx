import type { User } from "../../domain/user.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf } from "../../ui/intent-form.tsx";
import { ROLE_WORDS } from "../people/access-words.ts";
import { EmailField, NameField, NewPasswordField } from "./credential-fields.tsx";

type FieldError = { field: string; message: string } | null;

/** Name and address of the viewer. */
export function ProfileForm({ viewer, error }: { viewer: Pick<User, "name" | "email" | "role">; error: FieldError }) {
  const errorOf = toErrorOf(error);
  return (
    <Panel title="You" description={`${ROLE_WORDS[viewer.role].label}: ${ROLE_WORDS[viewer.role].may}`}>
      <IntentForm intent="profile" submit="Save">
        <NameField defaultValue={viewer.name} error={errorOf("name")} />
        <EmailField hint="You sign in with it." defaultValue={viewer.email} error={errorOf("email")} />
        <TextField
          label="Confirm with your password"
          name="confirm"
          type="password"
          autoComplete="current-password"
          required
          error={errorOf("confirm")}
        />
      </IntentForm>
    </Panel>
  );
}

export function PasswordForm({ email, error }: { email: string; error: FieldError }) {
  const errorOf = toErrorOf(error);
  return (
    <Panel title="Password">
      <IntentForm intent="password" submit="Change password">
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <TextField
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={errorOf("current")}
        />
        <NewPasswordField label="New password" name="next" error={errorOf("next")} />
      </IntentForm>
    </Panel>
  );
}
