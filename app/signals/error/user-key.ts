import type { User } from "../../domain/event.ts";
import { isMaskedUserPart } from "../../domain/privacy/masked-user.ts";

const MAX_LENGTH = 200;

/**
 * The key of an event's user, for "users affected": the first of id, email, username and IP address. Null: the event names no user. Masked
 * values do not count.
 */
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

/**
 * The name by which people know the user, if the key does not contain it. Empty: no other name is known. Null: there is no user. See
 * EventRow.userName.
 */
export function toUserName(user: User | undefined, userKey: string | null): string | null {
  if (!user) return null;
  const name = [user.email, user.name, user.username].find(isKnown);
  if (!name) return userKey === null ? null : "";
  const shown = name.slice(0, MAX_LENGTH).toWellFormed();
  return userKey === `email:${shown}` || userKey === `username:${shown}` ? "" : shown;
}
