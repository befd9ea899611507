import type { User } from "../../domain/event.ts";
import type { EventRow } from "../../stores/events/error-events.ts";

/** The display name of a user: e-mail address, name, user name, id or IP address, whichever is there first. Null: nothing is known. */
export function toUserWords(user: User | undefined): string | null {
  if (!user) return null;
  return user.email || user.name || user.username || user.id || user.ip_address || null;
}

/** The display name from the row. `isSure` is false if the payload may have a better one. */
export function toRowUser({ userKey, userName }: Pick<EventRow, "userKey" | "userName">): {
  words: string | null;
  isSure: boolean;
} {
  if (userName) return { words: userName, isSure: true };
  const words = userKey === null ? null : readUserKey(userKey);
  return { words, isSure: userName === "" || userKey === null || userKey.startsWith("email:") };
}

/** The key of a user without its kind: `42` of `id:42`. */
export function readUserKey(userKey: string): string {
  return userKey.slice(userKey.indexOf(":") + 1);
}
