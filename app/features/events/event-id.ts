/** The id as Culprit keeps it (32 lower-case hex characters) from what a person pastes; null when it is not one. */
export function toEventId(text: string): string | null {
  const id = text.trim().replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
