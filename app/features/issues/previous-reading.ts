import type { SubscriptionReason } from "../../domain/issues/comment.ts";

/** What an issue was to its reader: of these, what was changed. */
export interface PreviousReading {
  issueId: number;
  /** `off`: they have said that they do not want it; null: nobody asked. */
  subscription?: SubscriptionReason | "off" | null;
  isBookmarked?: boolean;
  /** When they looked at it; milliseconds since 1970; null: never. */
  seenAt?: number | null;
}

const PREFIX = "reading/";
/** Characters; see `serializePrevious`. */
const MAX_LENGTH = 300_000;
const SUBSCRIPTIONS = ["assigned", "commented", "mentioned", "chosen", "off"] as const;

/**
 * `reading/17;off,18;-;1,19;;;0` for a hidden field: why it is subscribed to, the bookmark, and when it was seen (0: never), each after a
 * semicolon. Null for none, and for too many.
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

/** Null when it is not what `serializePreviousReading` made. */
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
