/** The number of an id in an address. 0, which no row has: the text is no id. */
export function toId(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
