/**
 * The known key that is most similar to the typed one: few letters differ, or it is the beginning. Null: none is similar enough.
 * @param atMost letters that may differ, unless a third of the typed ones are fewer
 */
export function findNearestKey(
  typed: string,
  known: readonly string[],
  atMost = Number.POSITIVE_INFINITY,
): string | null {
  const name = typed.toLowerCase().slice(0, 60);
  const most = Math.min(atMost, Math.max(1, Math.floor(name.length / 3)));
  let nearest: { key: string; distance: number } | null = null;
  for (const key of known) {
    const other = key.toLowerCase();
    if (other === name || other.length > 60) continue;
    const letters = (text: string) => text.replace(/[._-]/g, "");
    const distance = letters(other) === letters(name) ? 0 : countEdits(name, other);
    if (distance <= most && (nearest === null || distance < nearest.distance)) nearest = { key, distance };
  }
  if (nearest !== null || name.length < 3) return nearest?.key ?? null;
  return known.find((key) => key.toLowerCase().startsWith(name) || key.toLowerCase().endsWith(`.${name}`)) ?? null;
}

/** Letters to add, leave out, replace, or swap with their neighbour (Damerau, optimal string alignment). */
function countEdits(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let edits = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        edits = Math.min(edits, (before[column - 2] as number) + 1);
      next.push(edits);
    }
    [before, last] = [last, next];
  }
  return last[other.length] as number;
}
