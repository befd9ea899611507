import type { ReactNode } from "react";
import { CodeField } from "../../ui/code-field.tsx";

/** A field for the code of an authenticator app. Phones and password managers fill it because of `one-time-code`. */
export function CodeOfAppField({
  label = "Code",
  hint,
  error = null,
  isFirst = false,
}: {
  label?: string;
  hint?: ReactNode;
  error?: string | null;
  /** Whether it gets the focus when the page opens. */
  isFirst?: boolean;
}) {
  return (
    <CodeField
      label={label}
      name="code"
      autoComplete="one-time-code"
      maxLength={32}
      required
      hint={hint}
      error={error}
      autoFocus={isFirst}
    />
  );
}
