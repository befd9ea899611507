/** A fence longer than any run of backticks inside, so that nothing in the text can end it. */
export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

/** One line, whatever backticks are in it. */
export function inlineCode(text: string): string {
  const oneLine = text.replaceAll(/\s+/g, " ").trim();
  const longest = Math.max(0, ...[...oneLine.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return longest > 0 ? `${ticks} ${oneLine} ${ticks}` : `${ticks}${oneLine}${ticks}`;
}

/** One line of plain text. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/([\\`*_[\]<>#|])/g, "\\$1");
}

/** A list of names with their values; those without a value are left out. */
export function toFactLines(
  facts: ReadonlyArray<readonly [name: string, value: string | number | null | undefined]>,
): string[] {
  return facts.flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [`- **${name}**: ${inlineCode(String(value))}`],
  );
}
