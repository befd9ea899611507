/** A place in a list of events, and whether the page after or the page before it is wanted. */
export interface EventCursor {
  page: "after" | "before";
  occurredAt: number;
  ordinal: number;
}

export function encodeEventCursor({ page, occurredAt, ordinal }: EventCursor): string {
  return `${page === "after" ? "a" : "b"}${occurredAt.toString(36)}.${ordinal.toString(36)}`;
}

/** Null when it is not a cursor: it comes from a URL, and a broken one gives the first page. */
export function parseEventCursor(text: string | null): EventCursor | null {
  const parts = /^([ab])(-?[0-9a-z]{1,11})\.([0-9a-z]{1,11})$/.exec(text ?? "");
  if (!parts) return null;
  const occurredAt = Number.parseInt(parts[2] ?? "", 36);
  const ordinal = Number.parseInt(parts[3] ?? "", 36);
  if (!Number.isSafeInteger(occurredAt) || !Number.isSafeInteger(ordinal)) return null;
  return { page: parts[1] === "a" ? "after" : "before", occurredAt, ordinal };
}
