/**
 * The issue id of feedback among issues: `U12`, and for ids below 0 (stored before there was an inbox) `UE5`. No issue has such an
 * id, or a short id like `SHOP-U12`: ids of issues are digits, and their short ids end in base 32, which has no U.
 */
export function toFeedbackIssueId(id: number): string {
  return id < 0 ? `UE${-id}` : `U${id}`;
}

export function toFeedbackShortId(id: number, projectSlug: string): string {
  return `${projectSlug.toUpperCase()}-${toFeedbackIssueId(id)}`;
}

/** The event id of feedback among issues, which has exactly one event. Some feedback was sent without an event: its own id is used. */
export function toFeedbackEventId({ id, eventId }: { id: number; eventId: string | null }): string {
  return eventId ?? Math.abs(id).toString(16).padStart(32, "0");
}

/** The ids of feedback that an event id may stand for. */
export function readFeedbackEventId(eventId: string): number[] {
  const [, digits] = /^0{19}([0-9a-f]{13})$/.exec(eventId) ?? [];
  const id = digits === undefined ? 0 : Number.parseInt(digits, 16);
  return id === 0 ? [] : [id, -id];
}

/**
 * The id of the feedback that an issue id or a short id names, in any case. Null: it names none. The slug may be a former one of
 * the project.
 */
export function readFeedbackIssueId(text: string): number | null {
  const [, earlier, digits] = /^(?:[a-z0-9][a-z0-9-]*-)?u(e?)([1-9]\d{0,14})$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  return earlier === "" ? Number(digits) : -Number(digits);
}
