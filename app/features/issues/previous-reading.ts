import type { SubscriptionReason } from "../../domain/issues/comment.ts";

/** What a reader had set for an issue before a change. It has only the values that changed. */
export interface PreviousReading {
  issueId: number;
  /** `off`: they have unsubscribed. Null: they were not subscribed, and had not unsubscribed. */
  subscription?: SubscriptionReason | "off" | null;
  isBookmarked?: boolean;
  /** When they last looked at it, in milliseconds since 1970. Null: never. */
  seenAt?: number | null;
}

const PREFIX = "reading/";
/** Characters; see `serializePrevious`. */
const MAX_LENGTH = 300_000;
const SUBSCRIPTIONS = ["assigned", "commented", "mentioned", "chosen", "off"] as const;

/**
 * Text for a hidden field: `reading/17;off,18;-;1,19;;;0`. Each issue has the reason of its subscription, the bookmark, and when it
 * was seen (0: never), each after a semicolon. Null if there is nothing, or too much.
 */
export function serializePreviousReading(previous: readonly PreviousReading[]): string | null {
  const parts = previous.map(({ issueId, subscription, isBookmarked, seenAt }) => {
    const subscribed = subscription === undefined ? "" : (subscription ?? "-");
    const bookmarked = isBookmarked === undefined ? "" : String(Number(isBookmarked));
    const seen = seenAt === undefined ? "" : String(seenAt ?? 0);
    return `${issueId};${subscribed};${bookmarked};${seen}`.replace(/(?<=;[^;]*);+$/, "");
  });
  const text = PREFIX + parts.join();
  return parts.length === 0 || text.length > MAX_LENGTH ? null : text;
}

/** Null: the text is not from `serializePreviousReading`. */
export function parsePreviousReading(value: unknown): PreviousReading[] | null {
  if (typeof value !== "string" || !value.startsWith(PREFIX) || value.length > MAX_LENGTH) return null;
  const previous: PreviousReading[] = [];
  for (const part of value.slice(PREFIX.length).split(",")) {
    const [, id, word = "", bookmark = "", seen = ""] =
      /^(\d{1,15});([a-z]*|-)(?:;([01]?)(?:;(\d{1,15}))?)?$/.exec(part) ?? [];
    const subscription = SUBSCRIPTIONS.find((each) => each === word) ?? null;
    if (id === undefined || (subscription === null && word !== "" && word !== "-")) return null;
    previous.push({
      issueId: Number(id),
      ...(word === "" ? {} : { subscription }),
      ...(bookmark === "" ? {} : { isBookmarked: bookmark === "1" }),
      ...(seen === "" ? {} : { seenAt: Number(seen) || null }),
    });
  }
  return previous;
}
