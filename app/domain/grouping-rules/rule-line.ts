import { MAX_LINE_CHARS, MAX_PATTERN_CHARS, MAX_RULES, MAX_RULES_CHARS } from "./rule-limits.ts";

/** An error in a text of rules, and its place. Lines and characters count from 1. */
export interface RuleProblem {
  line: number;
  column: number;
  message: string;
}

/** A rule, or why its line is none. */
export type ReadRules<Rule> = { ok: true; rules: Rule[] } | { ok: false; problem: RuleProblem };

/** Thrown by readers of one line; `readRules` says which line it was. */
export class RuleError extends Error {
  readonly column: number;
  /** @param at index in the line */
  constructor(at: number, message: string) {
    super(message);
    this.column = at + 1;
  }
}

/** Reads a text with one rule a line. Empty lines and lines that begin with `#` are skipped. */
export function readRules<Rule>(text: string, readLine: (line: string, number: number) => Rule): ReadRules<Rule> {
  const fail = (line: number, column: number, message: string): ReadRules<Rule> => ({
    ok: false,
    problem: { line, column, message },
  });
  if (text.length > MAX_RULES_CHARS)
    return fail(1, 1, `The text has ${text.length} characters. At most ${MAX_RULES_CHARS} are allowed.`);
  const rules: Rule[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.trimEnd();
    const number = index + 1;
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    if (line.length > MAX_LINE_CHARS)
      return fail(number, MAX_LINE_CHARS, `A rule has at most ${MAX_LINE_CHARS} characters.`);
    if (rules.length >= MAX_RULES) return fail(number, 1, `There are at most ${MAX_RULES} rules.`);
    try {
      rules.push(readLine(line, number));
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return fail(number, error.column, error.message);
    }
  }
  return { ok: true, rules };
}

/** Reads a line from left to right. */
export class LineReader {
  readonly line: string;
  at = 0;

  constructor(line: string) {
    this.line = line;
    this.skipSpace();
  }

  get isAtEnd(): boolean {
    return this.at >= this.line.length;
  }

  skipSpace(): void {
    while (this.line[this.at] === " " || this.line[this.at] === "\t") this.at++;
  }

  /** If the text is next, moves past it and returns true. */
  take(text: string): boolean {
    if (!this.line.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  startsWith(text: string): boolean {
    return this.line.startsWith(text, this.at);
  }

  /** The text that the expression (with the flag `y`) matches at this place. Null: it does not match. */
  match(expression: RegExp): string | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.line);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }

  /** Reads a text in quotes, where `\"` and `\\` stand for the second character. Without quotes, the text ends before `stop`. */
  readText(stop: RegExp, what: string): string {
    const from = this.at;
    let text = "";
    if (this.take('"')) {
      for (;;) {
        const char = this.line[this.at];
        if (char === undefined) throw new RuleError(from, "The quotation mark is not closed.");
        this.at++;
        if (char === '"') break;
        if (char === "\\" && (this.line[this.at] === '"' || this.line[this.at] === "\\")) text += this.line[this.at++];
        else text += char;
      }
    } else {
      while (!this.isAtEnd && !stop.test(this.line[this.at] as string)) text += this.line[this.at++];
      if (text === "") throw new RuleError(from, `${what} is missing.`);
    }
    if (text.length > MAX_PATTERN_CHARS)
      throw new RuleError(from, `${what} has at most ${MAX_PATTERN_CHARS} characters.`);
    return text;
  }
}
