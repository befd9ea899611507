const HUES = 8;

/**
 * Assigns a hue to each service by its name, so that it is the same on every page. If two services of a page would share one, the
 * later one gets the next free hue.
 */
export function assignHues(names: readonly string[]): number[] {
  const taken = new Set<number>();
  return names.map((name) => {
    let hue = hash(name) % HUES;
    if (taken.size < HUES) while (taken.has(hue)) hue = (hue + 1) % HUES;
    taken.add(hue);
    return hue;
  });
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value >>> 8;
}
