import type { User } from "../../domain/event.ts";
import { isMaskedUserPart } from "../../domain/privacy/masked-user.ts";

const MAX_LENGTH = 200;

/** Who an event counts as, for "users affected": first of id, email, username, IP address; null when it names nobody. What was masked names nobody. */
export function toUserKey(user: User | undefined): string | null {
  const { id, email, username, ip_address: address } = user ?? {};
  if (isKnown(id)) return `id:${id}`.slice(0, MAX_LENGTH).toWellFormed();
  if (isKnown(email)) return `email:${email}`.slice(0, MAX_LENGTH).toWellFormed();
  if (isKnown(username)) return `username:${username}`.slice(0, MAX_LENGTH).toWellFormed();
  return isKnown(address) ? `ip:${address}`.slice(0, MAX_LENGTH).toWellFormed() : null;
}

function isKnown(part: string | undefined): part is string {
  return !!part && !isMaskedUserPart(part);
}

/** What people know the user by, if the key does not say it; empty: nothing more is known, null: there is no user. See EventRow.userName. */
export function toUserName(user: User | undefined, userKey: string | null): string | null {
  if (!user) return null;
  const name = [user.email, user.name, user.username].find(isKnown);
  if (!name) return userKey === null ? null : "";
  const shown = name.slice(0, MAX_LENGTH).toWellFormed();
  return userKey === `email:${shown}` || userKey === `username:${shown}` ? "" : shown;
}
