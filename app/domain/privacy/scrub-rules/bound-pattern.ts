/** The most repeats of `*`, `+` and `{n,}`. */
const MAX_REPEAT = 64;
/** Steps that a pattern may take at one place of a text, at most. */
const MAX_STEPS = 500;

export type BoundPattern =
  | {
      ok: true;
      source: string;
      /** The most steps that it takes at one place of a text. */
      steps: number;
    }
  | { ok: false; at: number; message: string };

/** One character of these: the first 128, and some others. Null: it is not one character. */
type CharacterSet = readonly boolean[] | null;

interface Part {
  source: string;
  /** The number of ways to match at one place, and the steps that trying all of them takes. */
  ways: number;
  steps: number;
  set: CharacterSet;
  /** The parts of a group without alternatives. A group that is not repeated is read as if its parts stood there alone. */
  parts?: readonly Repeated[];
}

interface Repeated extends Part {
  min: number;
  max: number;
}

class PatternError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const TOO_SLOW =
  "the pattern could take long: give repeats an end, like \\d{1,9}, and let something stand between them that they do not match";

/**
 * Rewrites a regular expression so that no text can make it slow: repeats get an end, and the number of steps at one place is
 * bounded. The time to look through a text then grows with its length alone. `at` of a refusal is a place in the source.
 */
export function boundPattern(source: string): BoundPattern {
  try {
    const reader = new PatternReader(source);
    const { source: bounded, steps } = reader.readAlternatives(true);
    if (reader.at < source.length) return { ok: false, at: reader.at, message: "this ) closes no group" };
    if (steps > MAX_STEPS) return { ok: false, at: 0, message: TOO_SLOW };
    if (new RegExp(bounded, "u").test("")) return { ok: false, at: 0, message: "the pattern matches an empty text" };
    return { ok: true, source: bounded, steps };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, at: error.at, message: error.message };
    if (error instanceof SyntaxError)
      return { ok: false, at: 0, message: "this is no regular expression that JavaScript knows (with the flag u)" };
    throw error;
  }
}

class PatternReader {
  at = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** @param isLast whether nothing of the pattern comes behind it */
  readAlternatives(isLast: boolean): Part {
    let all = this.#readSequence(isLast);
    while (this.#source[this.at] === "|") {
      this.at++;
      const { source, ways, steps } = this.#readSequence(isLast);
      all = { source: `${all.source}|${source}`, ways: all.ways + ways, steps: all.steps + steps, set: null };
    }
    return all;
  }

  #readSequence(isLast: boolean): Part {
    const parts: Repeated[] = [];
    const begin = this.at;
    while (this.at < this.#source.length && !/[|)]/.test(this.#source[this.at] ?? "")) {
      const part = this.#readRepeated();
      if (part.parts !== undefined && part.min === 1 && part.max === 1) parts.push(...part.parts);
      else parts.push(part);
    }
    let ways = 1;
    let steps = 0;
    parts.forEach((part, index) => {
      steps += ways * Math.max(1, part.max) * part.steps;
      ways *= part.ways;
      if (!this.#hasOneEnd(part, parts[index + 1], isLast)) ways *= part.max - part.min + 1;
      if (steps > MAX_STEPS) throw new PatternError(begin, TOO_SLOW);
    });
    const set = parts.length === 1 && parts[0]?.max === 1 && parts[0].min === 1 ? parts[0].set : null;
    return { source: parts.map((part) => part.source).join(""), ways, steps: Math.max(1, steps), set, parts };
  }

  /** Whether a repeat can go on in one way only: it takes all it can, and what comes behind cannot begin earlier. */
  #hasOneEnd({ min, max, set }: Repeated, next: Repeated | undefined, isLast: boolean): boolean {
    if (min === max) return true;
    if (next === undefined) return isLast;
    const behind = next.min > 0 ? next.set : null;
    return set !== null && behind !== null && set.every((isIn, character) => !(isIn && behind[character]));
  }

  #readRepeated(): Repeated {
    const begin = this.at;
    const atom = this.#readAtom();
    const match = /^(?:[*+?]|\{(\d{1,4})(,)?(\d{1,4})?\})(\??)/.exec(this.#source.slice(this.at));
    if (match === null) return { ...atom, min: 1, max: 1 };
    this.at += match[0].length;
    const [sign = "", low, comma, high, lazy = ""] = [match[0][0], match[1], match[2], match[3], match[4]];
    const min = sign === "{" ? Number(low) : sign === "+" ? 1 : 0;
    const exact = comma === undefined ? min : null;
    const stated = sign === "?" ? 1 : sign === "{" ? (high === undefined ? exact : Number(high)) : null;
    const max = stated ?? Math.max(min, MAX_REPEAT);
    if (max < min) throw new PatternError(begin, "this repeat ends before it begins");
    if (max > 1 && atom.ways > 1)
      throw new PatternError(begin, "a group with alternatives or repeats inside cannot be repeated");
    return { ...atom, source: `${atom.source}{${min},${max}}${lazy}`, min, max };
  }

  #readAtom(): Part {
    const source = this.#source;
    const begin = this.at;
    const character = source[begin] ?? "";
    if (character === "(") return this.#readGroup();
    if (character === "[") {
      let end = begin + 1;
      while (end < source.length && source[end] !== "]") end += source[end] === "\\" ? 2 : 1;
      if (end >= source.length) throw new PatternError(begin, "this [ has no ]");
      this.at = end + 1;
    } else if (character === "\\") {
      const escaped = /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^0-9k])/u.exec(
        source.slice(begin),
      );
      if (escaped === null) throw new PatternError(begin, "references to groups are not known");
      this.at += escaped[0].length;
    } else if (/[*+?{]/.test(character)) {
      throw new PatternError(begin, `nothing stands before ${character}`);
    } else {
      this.at += String.fromCodePoint(source.codePointAt(begin) ?? 0).length;
    }
    const atom = source.slice(begin, this.at);
    return { source: atom, ways: 1, steps: 1, set: /^(?:[$^]|\\[bB])$/.test(atom) ? null : toSet(atom) };
  }

  #readGroup(): Part {
    const begin = this.at;
    this.at++;
    if (this.#source[this.at] === "?") {
      if (this.#source[this.at + 1] !== ":")
        throw new PatternError(begin, "groups are written (…) or (?:…); looking ahead and names are not known");
      this.at += 2;
    }
    const inner = this.readAlternatives(false);
    if (this.#source[this.at] !== ")") throw new PatternError(begin, "this ( has no )");
    this.at++;
    return { ...inner, source: `(?:${inner.source})` };
  }
}

const CHARACTERS = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), "é", "ß", "Ж", "中", "😀"];

/** The set without case, as a pattern with the flag `i` sees it. */
function toSet(atom: string): CharacterSet {
  const pattern = new RegExp(`^(?:${atom})$`, "isu");
  return CHARACTERS.map((character) => pattern.test(character));
}
