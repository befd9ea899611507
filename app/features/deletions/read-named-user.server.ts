import { isIP } from "node:net";
import { type NamedUser, USER_FIELDS, type UserField } from "../../domain/named-user.ts";

/** Longer values are cut when they are stored. Characters. */
const MAX_VALUE_LENGTH = 190;

export type ReadNamedUser = { ok: true; user: NamedUser } | { ok: false; field: "field" | "value"; message: string };

/** Reads the name of a user that somebody typed. */
export function readNamedUser(field: string, text: string): ReadNamedUser {
  if (!isUserField(field))
    return { ok: false, field: "field", message: `field: must be one of ${USER_FIELDS.join(", ")}.` };
  const value = text.trim();
  const refuse = (message: string): ReadNamedUser => ({ ok: false, field: "value", message: `${field}: ${message}` });
  if (value === "") return refuse("type the user whose data is to be deleted.");
  if (value.length > MAX_VALUE_LENGTH) return refuse(`must have at most ${MAX_VALUE_LENGTH} characters.`);
  if (field === "email" && !/^[^\s@]+@[^\s@]+$/.test(value)) return refuse("must be an e-mail address.");
  if (field === "address" && isIP(value) === 0)
    return refuse("must be one IP address, like 203.0.113.7 or 2001:db8::7.");
  return { ok: true, user: { field, value } };
}

function isUserField(text: string): text is UserField {
  return (USER_FIELDS as readonly string[]).includes(text);
}
