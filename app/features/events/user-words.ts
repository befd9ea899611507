import type { User } from "../../domain/event.ts";
import type { EventRow } from "../../stores/events/error-events.ts";

/** A user as people know them: e-mail address, name, user name, id, IP address, the first that is there. Null: nothing is known. */
export function toUserWords(user: User | undefined): string | null {
  if (!user) return null;
  return user.email || user.name || user.username || user.id || user.ip_address || null;
}

/** The same from the row; `isSure` is false if the payload may say more. */
export function toRowUser({ userKey, userName }: Pick<EventRow, "userKey" | "userName">): {
  words: string | null;
  isSure: boolean;
} {
  if (userName) return { words: userName, isSure: true };
  const words = userKey === null ? null : readUserKey(userKey);
  return { words, isSure: userName === "" || userKey === null || userKey.startsWith("email:") };
}

/** The key of a user without the word that says which it is: `42` of `id:42`. */
export function readUserKey(userKey: string): string {
  return userKey.slice(userKey.indexOf(":") + 1);
}
