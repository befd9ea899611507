/** A repeat without an end means at most so many. */
export const MAX_REPEAT = 64;
/** Ways in which a pattern may try one place of a text. Two repeats without an end are within it, three are not. */
export const MAX_WAYS = 5_000;

export type BoundPattern = { ok: true; source: string } | { ok: false; at: number; message: string };

interface Part {
  source: string;
  /** How many ways there are to match it at one place, at most. */
  ways: number;
}

class PatternError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/**
 * Rewrites a regular expression so that no text can make it slow: repeats get an end, and the number of ways to match at one place is
 * bounded. The time to look through a text then grows with its length alone. `at` of a refusal is a place in the source.
 */
export function boundPattern(source: string): BoundPattern {
  try {
    const reader = new PatternReader(source);
    const { source: bounded, ways } = reader.readAlternatives();
    if (reader.at < source.length) return { ok: false, at: reader.at, message: "this ) closes no group" };
    if (ways > MAX_WAYS) return { ok: false, at: 0, message: tooManyWays() };
    if (new RegExp(bounded, "u").test("")) return { ok: false, at: 0, message: "the pattern matches an empty text" };
    return { ok: true, source: bounded };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, at: error.at, message: error.message };
    if (error instanceof SyntaxError)
      return { ok: false, at: 0, message: "this is no regular expression that JavaScript knows (with the flag u)" };
    throw error;
  }
}

function tooManyWays(): string {
  return "the pattern could take long: use fewer repeats and alternatives, or give repeats an end, like \\d{1,9}";
}

class PatternReader {
  at = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  readAlternatives(): Part {
    let all = this.#readSequence();
    while (this.#source[this.at] === "|") {
      this.at++;
      const next = this.#readSequence();
      all = { source: `${all.source}|${next.source}`, ways: all.ways + next.ways };
    }
    return all;
  }

  #readSequence(): Part {
    let source = "";
    let ways = 1;
    while (this.at < this.#source.length && !/[|)]/.test(this.#source[this.at] ?? "")) {
      const part = this.#readRepeated();
      source += part.source;
      ways *= part.ways;
      if (ways > MAX_WAYS) throw new PatternError(this.at - 1, tooManyWays());
    }
    return { source, ways };
  }

  #readRepeated(): Part {
    const begin = this.at;
    const atom = this.#readAtom();
    const match = /^(?:[*+?]|\{(\d{1,4})(,)?(\d{1,4})?\})(\??)/.exec(this.#source.slice(this.at));
    if (match === null) return atom;
    this.at += match[0].length;
    const [sign = "", low, comma, high, lazy = ""] = [match[0][0], match[1], match[2], match[3], match[4]];
    const min = sign === "{" ? Number(low) : sign === "+" ? 1 : 0;
    const stated =
      sign === "?" ? 1 : sign === "{" && comma === undefined ? min : high === undefined ? null : Number(high);
    const max = stated ?? Math.max(min, MAX_REPEAT);
    if (max < min) throw new PatternError(begin, "this repeat ends before it begins");
    if (max > 1 && atom.ways > 1)
      throw new PatternError(begin, "a group with alternatives or repeats inside cannot be repeated");
    return { source: `${atom.source}{${min},${max}}${lazy}`, ways: atom.ways * (max - min) + 1 };
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
    return { source: source.slice(begin, this.at), ways: 1 };
  }

  #readGroup(): Part {
    const begin = this.at;
    this.at++;
    if (this.#source[this.at] === "?") {
      if (this.#source[this.at + 1] !== ":")
        throw new PatternError(begin, "groups are written (…) or (?:…); looking ahead and names are not known");
      this.at += 2;
    }
    const inner = this.readAlternatives();
    if (this.#source[this.at] !== ")") throw new PatternError(begin, "this ( has no )");
    this.at++;
    return { source: `(?:${inner.source})`, ways: inner.ways };
  }
}
