/** Crockford's base 32: without I, L, O and U, which are misread or misspelt. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `web` and 4591 make `WEB-4FF`. */
export function toShortId(prefix: string, number: number): string {
  let digits = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / 32)) digits = (DIGITS[rest % 32] ?? "") + digits;
  return `${prefix}-${digits}`;
}

export function toShortIdPrefix(projectSlug: string): string {
  return projectSlug.toUpperCase();
}

/** The short id that a person typed, in any case, with O for 0, and I or L for 1. */
export function parseShortId(text: string): string {
  const upper = text.trim().toUpperCase();
  const numberAt = upper.lastIndexOf("-") + 1;
  return upper.slice(0, numberAt) + upper.slice(numberAt).replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}
