/**
 * A copy of the text in memory of its own. A slice shares the memory of the longer text, so a cache of short slices would keep the whole
 * bodies alive.
 */
export function copyText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
