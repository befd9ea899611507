// These texts hold what senders wrote. None of it may end its own block, become a heading or a link, or stay invisible.

/** The longest text in a block of its own. A stack of 250 frames has some 40,000 characters. */
const MAX_BLOCK = 100_000;
/** The longest text on a line. Characters. */
const MAX_LINE = 1_000;

/** Puts a text into a fence that is longer than any run of backticks inside, so that nothing in the text can end it. */
export function fence(text: string): string {
  const shown = showHidden(text.slice(0, MAX_BLOCK).replaceAll(/\r\n?/g, "\n"));
  const isCut = text.length > MAX_BLOCK || shown.length > MAX_BLOCK;
  const block = isCut
    ? `${shown.slice(0, MAX_BLOCK).toWellFormed()}\n… cut after ${MAX_BLOCK.toLocaleString("en")} characters`
    : shown;
  const ticks = "`".repeat(Math.max(2, longestRun(block)) + 1);
  return `${ticks}\n${block}\n${ticks}`;
}

/** Code on one line, with any backticks in it. */
export function inlineCode(text: string): string {
  const line = toOneLine(text) || " ";
  const longest = longestRun(line);
  const ticks = "`".repeat(longest + 1);
  return longest > 0 ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** Plain text on one line, which may also stand at the start of a line. Addresses in it do not become links. */
export function escapeMarkdown(text: string): string {
  return toOneLine(text)
    .replaceAll(/[\\`*_[\]<>#|~&]/g, "\\$&")
    .replaceAll(/:(?=\/\/)|(?<=\bwww)\./gi, "\\$&")
    .replace(/^(\d{1,9}(?=[.)])|(?=[-+=]))/, "$1\\");
}

/** A list of names with their values. Names without a value are left out. */
export function toFactLines(
  facts: ReadonlyArray<readonly [name: string, value: string | number | null | undefined]>,
): string[] {
  return facts.flatMap(([name, value]) =>
    value === null || value === undefined || value === ""
      ? []
      : [`- **${escapeMarkdown(name)}**: ${inlineCode(String(value))}`],
  );
}

/** The text on one line, cut if it is too long. */
export function toOneLine(text: string): string {
  const line = showHidden(
    text
      .slice(0, 2 * MAX_LINE)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return text.length > 2 * MAX_LINE || line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line;
}

/**
 * Invisible characters: controls, formatting characters (they reverse text, or are tags that only a machine reads), line separators, and
 * variation selectors that no emoji has. Joiners are allowed, because emoji and scripts need them.
 */
const HIDDEN = /(?![\t\n\u200c\u200d])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}])/gu;

/** Writes invisible characters as escapes: `\u202E`, `\u{E0041}`. */
function showHidden(text: string): string {
  return text.toWellFormed().replaceAll(HIDDEN, (hidden) => {
    const code = (hidden.codePointAt(0) as number).toString(16).toUpperCase();
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** The longest run of backticks. It uses a loop, because a text may have more runs than a call can have arguments. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
