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
