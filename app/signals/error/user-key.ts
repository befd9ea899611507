import type { User } from "../../domain/event.ts";

const MAX_LENGTH = 200;

/** Who an event counts as, for "users affected": first of id, email, username, IP address; null when it names nobody. */
export function toUserKey(user: User | undefined): string | null {
  if (!user) return null;
  if (user.id) return `id:${user.id}`.slice(0, MAX_LENGTH).toWellFormed();
  if (user.email) return `email:${user.email}`.slice(0, MAX_LENGTH).toWellFormed();
  if (user.username) return `username:${user.username}`.slice(0, MAX_LENGTH).toWellFormed();
  return user.ip_address ? `ip:${user.ip_address}`.slice(0, MAX_LENGTH).toWellFormed() : null;
}

/** What people know the user by, if the key does not say it; empty: nothing more is known, null: there is no user. See EventRow.userName. */
export function toUserName(user: User | undefined, userKey: string | null): string | null {
  if (!user) return null;
  const name = user.email || user.name || user.username;
  if (!name) return userKey === null ? null : "";
  const shown = name.slice(0, MAX_LENGTH).toWellFormed();
  return userKey === `email:${shown}` || userKey === `username:${shown}` ? "" : shown;
}
