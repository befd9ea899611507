import { boundPattern } from "./bound-pattern.ts";
import { readSelector, type SelectorPart } from "./selector.ts";

export const SCRUB_METHODS = ["remove", "mask", "hash", "replace"] as const;
export type ScrubMethod = (typeof SCRUB_METHODS)[number];

export const SCRUB_KINDS = [
  "anything",
  "password",
  "creditcard",
  "ip",
  "email",
  "iban",
  "uuid",
  "mac",
  "usssn",
] as const;
export type ScrubKind = (typeof SCRUB_KINDS)[number];

/** A line of the rules. */
export interface ScrubLine {
  method: ScrubMethod;
  /** A pattern is the source of a bounded regular expression. */
  what: { kind: ScrubKind } | { kind: "pattern"; source: string; isCaseless: boolean; steps: number };
  /** For `replace`: the text that replaces the value. */
  replacement: string;
  places: SelectorPart[];
}

export interface ScrubLineError {
  /** The number of the line, from 1. */
  line: number;
  character: number;
  message: string;
}

const SCRUB_RULE_LIMITS = {
  lines: 50,
  lineChars: 300,
  patternChars: 200,
  replacementChars: 100,
  steps: 2_000,
} as const;

const DEFAULT_REPLACEMENT = "[Filtered]";

export type ReadScrubRules = { ok: true; rules: ScrubLine[] } | { ok: false; errors: ScrubLineError[] };

/** Reads rules, one a line; blank lines and those after `#` are left out. Says every line that it cannot read. */
export function readScrubRules(text: string): ReadScrubRules {
  const rules: ScrubLine[] = [];
  const errors: ScrubLineError[] = [];
  let steps = 0;
  text.split("\n").forEach((line, at) => {
    if (/^\s*(?:#|$)/.test(line)) return;
    const read = readLine(line.trimEnd());
    if ("message" in read) errors.push({ line: at + 1, character: read.at + 1, message: read.message });
    else if (rules.length === SCRUB_RULE_LIMITS.lines)
      errors.push({ line: at + 1, character: 1, message: `a project has at most ${SCRUB_RULE_LIMITS.lines} rules` });
    else {
      steps += read.what.kind === "pattern" ? read.what.steps : 0;
      if (steps > SCRUB_RULE_LIMITS.steps)
        errors.push({
          line: at + 1,
          character: 1,
          message: "the patterns of all rules together could take long: use fewer",
        });
      rules.push(read);
    }
  });
  return errors.length === 0 ? { ok: true, rules } : { ok: false, errors };
}

type Refused = { at: number; message: string };

function readLine(line: string): ScrubLine | Refused {
  const { lineChars, patternChars, replacementChars } = SCRUB_RULE_LIMITS;
  if (line.length > lineChars) return { at: lineChars, message: `a rule has at most ${lineChars} characters` };
  let at = /^\s*/.exec(line)?.[0].length ?? 0;
  const word = () => /^\S*/.exec(line.slice(at))?.[0] ?? "";
  const skip = (text: string) => {
    at += text.length;
    at += /^\s*/.exec(line.slice(at))?.[0].length ?? 0;
  };
  const method = SCRUB_METHODS.find((each) => each === word());
  if (method === undefined)
    return { at, message: `a rule begins with ${SCRUB_METHODS.join(", ")}, like: mask email from $user.email` };
  skip(method);

  let what: ScrubLine["what"];
  if (line[at] === "/") {
    const pattern = /^\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/(i?)(?=\s|$)/.exec(line.slice(at));
    if (pattern === null) return { at, message: "a pattern is written /…/, or /…/i without case" };
    const [whole, source = "", flag] = pattern;
    if (source.length > patternChars) return { at, message: `a pattern has at most ${patternChars} characters` };
    const bounded = boundPattern(source);
    if (!bounded.ok) return { at: at + 1 + bounded.at, message: bounded.message };
    what = { kind: "pattern", source: bounded.source, isCaseless: flag === "i", steps: bounded.steps };
    skip(whole);
  } else {
    const kind = SCRUB_KINDS.find((each) => each === word());
    if (kind === undefined)
      return { at, message: `what is masked is expected: ${SCRUB_KINDS.join(", ")}, or a pattern like /ORD-\\d+/` };
    what = { kind };
    skip(kind);
  }

  let replacement: string = DEFAULT_REPLACEMENT;
  if (word() === "with") {
    if (method !== "replace") return { at, message: "only replace has a text that stands there instead" };
    skip("with");
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(line.slice(at));
    const text = quoted?.[0] ?? word();
    replacement = quoted?.[1]?.replaceAll(/\\(.)/g, "$1") ?? text;
    if (text === "" || text === "from") return { at, message: "the text that stands there instead is expected" };
    if (replacement.length > replacementChars)
      return { at, message: `the text has at most ${replacementChars} characters` };
    skip(text);
  }
  if (word() !== "from") return { at, message: "“from” is expected, and behind it a place, like $string or extra.foo" };
  skip("from");
  const selector = readSelector(line.slice(at));
  if (!selector.ok) return { at: at + selector.at, message: selector.message };
  return { method, what, replacement, places: selector.parts };
}
