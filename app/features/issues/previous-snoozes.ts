import type { PreviousSnooze } from "./snooze-issues.server.ts";

const PREFIX = "snooze;";
/** Characters; see `serializePrevious`. */
const MAX_LENGTH = 300_000;

/** Text for a hidden field: `snooze;17,18@1764000000000`. Null if there is nothing, or too much. */
export function serializePreviousSnoozes(previous: readonly PreviousSnooze[]): string | null {
  const text = previous.map(({ issueId, until }) => (until === null ? issueId : `${issueId}@${until}`)).join();
  return text === "" || text.length > MAX_LENGTH ? null : PREFIX + text;
}

/** Null: the text is not from `serializePreviousSnoozes`. */
export function parsePreviousSnoozes(value: unknown): PreviousSnooze[] | null {
  if (typeof value !== "string" || !value.startsWith(PREFIX) || value.length > MAX_LENGTH + PREFIX.length) return null;
  const previous: PreviousSnooze[] = [];
  for (const part of value.slice(PREFIX.length).split(",")) {
    const match = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(part);
    if (match === null) return null;
    previous.push({ issueId: Number(match[1]), until: match[2] === undefined ? null : Number(match[2]) });
  }
  return previous;
}
