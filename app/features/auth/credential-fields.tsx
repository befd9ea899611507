import type { ComponentProps } from "react";
import { TextField } from "../../ui/field.tsx";
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MIN_PASSWORD_LENGTH } from "./credential-limits.ts";

type FieldProps = Pick<
  ComponentProps<typeof TextField>,
  "hint" | "defaultValue" | "error" | "readOnly" | "autoComplete"
>;

export function NameField(props: FieldProps) {
  return <TextField label="Name" name="name" autoComplete="name" required maxLength={MAX_NAME_LENGTH} {...props} />;
}

/** The field for the address that people sign in with. */
export function EmailField(props: FieldProps) {
  return (
    <TextField
      label="E-mail"
      name="email"
      type="email"
      autoComplete="username"
      required
      maxLength={MAX_EMAIL_LENGTH}
      {...props}
    />
  );
}

export function NewPasswordField({
  label,
  name,
  error,
}: Pick<ComponentProps<typeof TextField>, "label" | "name" | "error">) {
  return (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      required
      minLength={MIN_PASSWORD_LENGTH}
      // The error says the same as the hint.
      hint={error ? undefined : `At least ${MIN_PASSWORD_LENGTH} characters.`}
      error={error}
    />
  );
}
