const MAX_QUOTED_CHARS = 160;

/** `1 frame`, `3 frames`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** The text in quotation marks, cut at 160 characters. */
export function quote(text: string): string {
  return `“${text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS - 1)}…` : text}”`;
}

/** `a, b and c`; `a, b, c and 4 more`. */
export function enumerate(items: readonly string[], max = Number.POSITIVE_INFINITY): string {
  const said = items.slice(0, max);
  if (items.length > said.length) return `${said.join(", ")} and ${items.length - said.length} more`;
  const last = said.at(-1) ?? "";
  return said.length > 1 ? `${said.slice(0, -1).join(", ")} and ${last}` : last;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
