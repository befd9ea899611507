/** Containers inside one another; ours: those of SDKs have three. */
const MAX_DEPTH = 20;

/**
 * Makes the header of an envelope or an item storable. Ingest reads headers as plain JSON. Their text may contain characters that no store
 * returns unchanged (NUL, halves of surrogate pairs), which are cleaned. Values that nest too deeply become null. Returns the same object
 * if nothing had to change.
 */
export function cleanHeader<Header extends Record<string, unknown>>(header: Header): Header {
  // An object stays an object, and text stays text.
  return isClean(header, MAX_DEPTH) ? header : (clean(header, MAX_DEPTH) as Header);
}

function isClean(value: unknown, depthLeft: number): boolean {
  if (typeof value === "string") return isCleanText(value);
  if (typeof value !== "object" || value === null) return true;
  if (depthLeft === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isClean(item, depthLeft - 1));
  const object = value as Record<string, unknown>;
  for (const key in object) {
    if (key === "__proto__" || !isCleanText(key) || !isClean(object[key], depthLeft - 1)) return false;
  }
  return true;
}

function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

function clean(value: unknown, depthLeft: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depthLeft === 0) return null;
  if (Array.isArray(value)) return value.map((item) => clean(item, depthLeft - 1));
  const cleaned: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = cleanText(key);
    if (name !== "__proto__") cleaned[name] = clean(item, depthLeft - 1);
  }
  return cleaned;
}

function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
