/** Turns what a person pastes into an event id as Culprit stores it: 32 lower-case hex characters. Null: it is no event id. */
export function toEventId(text: string): string | null {
  const id = text.trim().replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
