import type { ReactNode } from "react";
import { CodeField } from "../../ui/code-field.tsx";

/** The code that an authenticator app shows. Phones and password managers offer it by `one-time-code`. */
export function CodeOfAppField({
  label = "Code",
  hint,
  error = null,
  isFirst = false,
}: {
  label?: string;
  hint?: ReactNode;
  error?: string | null;
  /** Whether it takes the focus when the page opens. */
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
