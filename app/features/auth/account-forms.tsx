import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf } from "../../ui/intent-form.tsx";
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MIN_PASSWORD_LENGTH } from "./credential-limits.ts";

type FieldError = { field: string; message: string } | null;

/** Name and address of the viewer. */
export function ProfileForm({
  viewer,
  error,
}: {
  viewer: { name: string; email: string; role: string };
  error: FieldError;
}) {
  const errorOf = toErrorOf(error);
  return (
    <Panel title="You" description={viewer.role === "owner" ? "You are the owner of this server." : undefined}>
      <IntentForm intent="profile" submit="Save">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={MAX_NAME_LENGTH}
          defaultValue={viewer.name}
          error={errorOf("name")}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={MAX_EMAIL_LENGTH}
          hint="You sign in with it."
          defaultValue={viewer.email}
          error={errorOf("email")}
        />
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
        <TextField
          label="New password"
          name="next"
          type="password"
          autoComplete="new-password"
          required
          minLength={MIN_PASSWORD_LENGTH}
          hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
          error={errorOf("next")}
        />
      </IntentForm>
    </Panel>
  );
}
