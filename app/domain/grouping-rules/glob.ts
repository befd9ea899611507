import { MAX_PATTERN_CHARS } from "./rule-limits.ts";

/**
 * A pattern with `*` (any text), `?` (one character) and, in paths, `**`. It is matched by following all ways through the pattern
 * at once, so the steps are at most its length times that of the text, whatever the two are.
 */
export interface Glob {
  readonly tokens: readonly Token[];
  /** The pattern, if it has no special characters: then only this text matches. */
  readonly literal: string | null;
  readonly isPath: boolean;
  readonly ignoresCase: boolean;
}

/** `any`: as much as there is. `segment`: as much without a slash. `folders`: nothing, or folders with their slashes. */
type Token = string | typeof ONE | typeof ANY | typeof SEGMENT | typeof FOLDERS;
const ONE = 1;
const ANY = 2;
const SEGMENT = 3;
const FOLDERS = 4;

/** Characters of the text that are looked at. Stored names and paths are rarely longer; messages are cut. */
const MAX_TEXT_CHARS = 1_024;

/** The number of steps that matching may still take. Checking one token of a pattern is one step. */
export interface MatchBudget {
  steps: number;
}

/** @param pattern at most `MAX_PATTERN_CHARS` characters */
export function compileGlob(
  pattern: string,
  { isPath = false, ignoresCase = false }: { isPath?: boolean; ignoresCase?: boolean } = {},
): Glob {
  const text = fold(isPath ? toSlashes(pattern) : pattern, ignoresCase).slice(0, MAX_PATTERN_CHARS);
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "?") tokens.push(ONE);
    else if (char !== "*") tokens.push(char);
    else {
      let stars = 1;
      while (text[at + stars] === "*") stars++;
      at += stars - 1;
      if (!isPath || stars === 1) tokens.push(isPath ? SEGMENT : ANY);
      else if (text[at + 1] === "/" && (tokens.length === 0 || tokens.at(-1) === "/")) {
        tokens.push(FOLDERS);
        at++;
      } else tokens.push(ANY);
    }
  }
  const literal = tokens.some((token) => typeof token === "number") ? null : text;
  return { tokens, literal, isPath, ignoresCase };
}

/** False, too, when the budget is used up before it is known. */
export function matchesGlob(glob: Glob, text: string, budget: MatchBudget): boolean {
  const { tokens, literal, isPath, ignoresCase } = glob;
  const cut = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
  const value = fold(isPath ? toSlashes(cut) : cut, ignoresCase);
  budget.steps--;
  if (literal !== null) return budget.steps >= 0 && value === literal;
  // Places in the pattern that the text so far may have led to. Each place follows from those before it.
  let places = FIRST.begin();
  let next = SECOND;
  places.add(tokens, 0);
  for (let at = 0; at < value.length && places.count > 0; at++) {
    const char = value[at] as string;
    next.begin();
    budget.steps -= places.count;
    if (budget.steps < 0) return false;
    for (let index = 0; index < places.count; index++) {
      const place = places.list[index] as number;
      const token = tokens[place];
      if (token === undefined) continue;
      if (token === char || (token === ONE && !(isPath && char === "/"))) next.add(tokens, place + 1);
      else if (token === ANY || (token === SEGMENT && char !== "/")) next.add(tokens, place);
      else if (token === FOLDERS) {
        // Within a folder's name; what follows the folders begins after a slash.
        next.addOne(place);
        if (char === "/") next.add(tokens, place + 1);
      }
    }
    [places, next] = [next, places];
  }
  return places.has(tokens.length);
}

/** A set of places. There are two for all matches of a thread, so that a character costs no memory. */
class Places {
  count = 0;
  readonly list = new Uint16Array(MAX_PATTERN_CHARS + 1);
  readonly #marks = new Float64Array(MAX_PATTERN_CHARS + 1);
  #round = 0;

  /** Empties it. */
  begin(): this {
    this.count = 0;
    this.#round++;
    return this;
  }

  has(place: number): boolean {
    return this.#marks[place] === this.#round;
  }

  addOne(place: number): void {
    if (this.has(place)) return;
    this.#marks[place] = this.#round;
    this.list[this.count++] = place;
  }

  /** Adds a place. After a token that may match an empty text, the next place is added, too. */
  add(tokens: readonly Token[], place: number): void {
    for (let at = place; !this.has(at); at++) {
      this.addOne(at);
      const token = tokens[at];
      if (token !== ANY && token !== SEGMENT && token !== FOLDERS) return;
    }
  }
}

const FIRST = new Places();
const SECOND = new Places();

function toSlashes(path: string): string {
  return path.includes("\\") ? path.replaceAll("\\", "/") : path;
}

function fold(text: string, ignoresCase: boolean): string {
  return ignoresCase ? text.toLowerCase() : text;
}
