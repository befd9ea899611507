import { toOneLine } from "../../domain/one-line.ts";
import {
  isEmail,
  LONG_EMAIL,
  LONG_PASSWORD,
  MAX_EMAIL_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "./credential-limits.ts";

export type NewAccountErrors = { name?: string; email?: string; password?: string };

/** Checks name, address and password of a new account. `givenEmail`: the address that it must have. Null: the form's address counts. */
export function checkNewAccount(
  form: FormData,
  givenEmail: string | null,
): { ok: true; account: { name: string; email: string; password: string } } | { ok: false; errors: NewAccountErrors } {
  const text = (name: string) => String(form.get(name) ?? "");
  const name = toOneLine(text("name"));
  const email = givenEmail ?? text("email").trim().toLowerCase();
  const password = text("password");
  const errors: NewAccountErrors = {};
  if (name === "") errors.name = "Say what you are called.";
  else if (name.length > MAX_NAME_LENGTH) errors.name = `At most ${MAX_NAME_LENGTH} characters.`;
  if (email.length > MAX_EMAIL_LENGTH) errors.email = LONG_EMAIL;
  else if (!isEmail(email)) errors.email = "This is not an e-mail address.";
  const passwordError = checkNewPassword(password);
  if (passwordError) errors.password = passwordError;
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, account: { name, email, password } };
}

/** Null: the password is allowed. */
export function checkNewPassword(password: string): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return `At least ${MIN_PASSWORD_LENGTH} characters.`;
  return password.length > MAX_PASSWORD_LENGTH ? LONG_PASSWORD : null;
}
