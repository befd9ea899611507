const NIL = "0".repeat(32);
const DASHES = [8, 13, 18, 23];

/**
 * 32 lower-case hex characters, from those or from the dashed form in any case; null for anything else. The nil id
 * counts as none: clients that send it send it with every event, and each would look like a repeat of the first.
 */
export function normalizeEventId(value: unknown): string | null {
  if (typeof value !== "string") return null;
  let text = value;
  if (text.length !== 32) {
    text = text.trim();
    if (text.length === 36) {
      for (const at of DASHES) if (text.charCodeAt(at) !== 45) return null;
      text = text.slice(0, 8) + text.slice(9, 13) + text.slice(14, 18) + text.slice(19, 23) + text.slice(24);
    }
    if (text.length !== 32) return null;
  }
  let hasUpperCase = false;
  for (let at = 0; at < 32; at++) {
    const code = text.charCodeAt(at);
    if ((code >= 48 && code <= 57) || (code >= 97 && code <= 102)) continue;
    if (code < 65 || code > 70) return null;
    hasUpperCase = true;
  }
  if (hasUpperCase) text = text.toLowerCase();
  return text === NIL ? null : text;
}
