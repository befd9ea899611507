/**
 * What a terminal or a shell acts upon, or what nobody sees. Line feeds are allowed: within quotes, they are text. In a terminal that does not
 * know when text is pasted, Ctrl-C gives up the line with its quotes, and the rest of the text would be run.
 */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Quotes a text as one word for POSIX shells, also when it is pasted into a terminal. Unsafe characters become octal escapes in `$'…'`, which
 * bash, zsh and ksh read.
 */
export function quoteText(text: string): string {
  if (!UNSAFE.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll(/[\\']/g, "\\$&").replaceAll(new RegExp(UNSAFE, "gu"), toOctal);
  return `$'${escaped}'`;
}

/** Quotes a word unless it is plainly harmless. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteText(word);
}

/** The bytes of a character, each with three digits: `\342\200\256`. */
function toOctal(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
