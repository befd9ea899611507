/**
 * Feedback among issues is `U12`, and below 0 (what was stored before there was an inbox) `UE5`. No issue can be called so, or like its short id
 * `SHOP-U12`: numbers of issues are digits, and their short ids end in base 32, which has no U.
 */
export function toFeedbackIssueId(id: number): string {
  return id < 0 ? `UE${-id}` : `U${id}`;
}

export function toFeedbackShortId(id: number, projectSlug: string): string {
  return `${projectSlug.toUpperCase()}-${toFeedbackIssueId(id)}`;
}

/** The id of the one event that feedback among issues has. Some was sent without one: its number stands for it. */
export function toFeedbackEventId({ id, eventId }: { id: number; eventId: string | null }): string {
  return eventId ?? Math.abs(id).toString(16).padStart(32, "0");
}

/** The numbers of feedback that an event id may stand for. */
export function readFeedbackEventId(eventId: string): number[] {
  const [, digits] = /^0{19}([0-9a-f]{13})$/.exec(eventId) ?? [];
  const id = digits === undefined ? 0 : Number.parseInt(digits, 16);
  return id === 0 ? [] : [id, -id];
}

/** The number of the feedback that either names, in any case; null: it names none. The slug may be one from before a change of it. */
export function readFeedbackIssueId(text: string): number | null {
  const [, earlier, digits] = /^(?:[a-z0-9][a-z0-9-]*-)?u(e?)([1-9]\d{0,14})$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  return earlier === "" ? Number(digits) : -Number(digits);
}
