import type { SubscriptionReason } from "../../domain/issues/comment.ts";

/** What an issue was to its reader: of these, what was changed. */
export interface PreviousReading {
  issueId: number;
  /** `off`: they have said that they do not want it; null: nobody asked. */
  subscription?: SubscriptionReason | "off" | null;
  isBookmarked?: boolean;
}

const PREFIX = "reading/";
/** Characters; see `serializePrevious`. */
const MAX_LENGTH = 300_000;
const SUBSCRIPTIONS = ["assigned", "commented", "mentioned", "chosen", "off"] as const;

/** `reading/17;off,18;-;1` for a hidden field: who it is subscribed for, after another semicolon the bookmark. Null for none, and for too many. */
export function serializePreviousReading(previous: readonly PreviousReading[]): string | null {
  const parts = previous.map(({ issueId, subscription, isBookmarked }) => {
    const subscribed = subscription === undefined ? "" : (subscription ?? "-");
    return `${issueId};${subscribed}${isBookmarked === undefined ? "" : `;${Number(isBookmarked)}`}`;
  });
  const text = PREFIX + parts.join();
  return parts.length === 0 || text.length > MAX_LENGTH ? null : text;
}

/** Null when it is not what `serializePreviousReading` made. */
export function parsePreviousReading(value: unknown): PreviousReading[] | null {
  if (typeof value !== "string" || !value.startsWith(PREFIX) || value.length > MAX_LENGTH) return null;
  const previous: PreviousReading[] = [];
  for (const part of value.slice(PREFIX.length).split(",")) {
    const [, id, word = "", bookmark] = /^(\d{1,15});([a-z]*|-)(?:;([01]))?$/.exec(part) ?? [];
    const subscription = SUBSCRIPTIONS.find((each) => each === word) ?? null;
    if (id === undefined || (subscription === null && word !== "" && word !== "-")) return null;
    previous.push({
      issueId: Number(id),
      ...(word === "" ? {} : { subscription }),
      ...(bookmark === undefined ? {} : { isBookmarked: bookmark === "1" }),
    });
  }
  return previous;
}
