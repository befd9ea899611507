const SPAN_ID = /^[0-9a-f]{16}$/;
const NIL = "0".repeat(16);

/** 16 lower-case hex characters; null for anything else, and for the id that stands for none. */
export function readSpanId(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 40) return null;
  const id = value.trim().toLowerCase();
  return SPAN_ID.test(id) && id !== NIL ? id : null;
}
