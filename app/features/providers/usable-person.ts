import { toOneLine } from "../../domain/one-line.ts";
import type { ProviderPerson } from "../../domain/people/provider.ts";
import { isEmail, MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from "../auth/credential-limits.ts";

/** What a provider says of a person, without values that no account can have. */
export function toUsablePerson({
  subject,
  email,
  isEmailVerified,
  name,
}: ProviderPerson): Omit<ProviderPerson, "claims"> {
  const isUsable = email !== null && email.length <= MAX_EMAIL_LENGTH && isEmail(email);
  return {
    subject,
    email: isUsable ? email : null,
    isEmailVerified,
    name: (name && toOneLine(name).slice(0, MAX_NAME_LENGTH)) || null,
  };
}
