/** A unique key for each line of a list: its id, with a number for lines that are equal in everything. */
export function toLineKeys(lines: ReadonlyArray<{ id: string }>): string[] {
  const seen = new Map<string, number>();
  return lines.map(({ id }) => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}.${count}`;
  });
}
