import { type MatchedField, type Matcher, readMatcher, readMatchers } from "./matchers.ts";
import { MAX_FRAME_COUNT } from "./rule-limits.ts";
import { LineReader, type ReadRules, RuleError, readRules } from "./rule-line.ts";

/** What a rule does to the frames that it matches. `range`: the frame itself, all frames that it called, or all frames that led to it. */
export type StackAction =
  | { kind: "app" | "group"; isOn: boolean; range: "frame" | "called" | "callers" }
  | { kind: "category"; value: string }
  | { kind: "max-frames" | "min-frames"; count: number };

/** `stack.function:panic_* ^-group -group` */
export interface StackRule {
  /** The number of the line, from 1. */
  line: number;
  /** The rule as it was written. */
  text: string;
  matchers: Matcher[];
  /** Must hold for the frame that called. Null: any frame may have called. */
  caller: Matcher | null;
  /** A condition on the frame that was called. Null: any frame. */
  called: Matcher | null;
  actions: StackAction[];
}

const ALLOWED: ReadonlySet<MatchedField> = new Set([
  "type",
  "value",
  "mechanism",
  "module",
  "path",
  "package",
  "function",
  "category",
  "app",
  "family",
]);

/** All rules are looked at, from the first to the last. Later ones override. */
export function readStackRules(text: string): ReadRules<StackRule> {
  return readRules(text, readLine);
}

function readLine(text: string, line: number): StackRule {
  const reader = new LineReader(text);
  let caller: Matcher | null = null;
  if (reader.startsWith("[")) {
    caller = readNeighbour(reader);
    if (!reader.take("|"))
      throw new RuleError(reader.at, "After the caller in brackets comes |, and then the frame itself.");
    reader.skipSpace();
  }
  const matchers = readMatchers(reader, ALLOWED);
  if (matchers.length === 0)
    throw new RuleError(reader.at, "Here a matcher is missing, like stack.function:handle_request.");
  let called: Matcher | null = null;
  if (reader.take("|")) {
    reader.skipSpace();
    called = readNeighbour(reader);
  }
  const actions = readActions(reader);
  return { line, text: text.trim(), matchers, caller, called, actions };
}

function readNeighbour(reader: LineReader): Matcher {
  const from = reader.at;
  if (!reader.take("[")) throw new RuleError(from, "A neighbour stands in brackets, like [ stack.function:main ].");
  reader.skipSpace();
  // A value without quotation marks ends at a space: the bracket needs one before it.
  const matcher = readMatcher(reader, ALLOWED);
  if (matcher === null) throw new RuleError(reader.at, "Within the brackets there must be one matcher.");
  reader.skipSpace();
  if (!reader.take("]")) throw new RuleError(reader.at, "Here ] is missing, after a space.");
  reader.skipSpace();
  return matcher;
}

function readActions(reader: LineReader): StackAction[] {
  const actions: StackAction[] = [];
  while (!reader.isAtEnd) {
    actions.push(readAction(reader));
    reader.skipSpace();
  }
  if (actions.length === 0)
    throw new RuleError(
      reader.at,
      "The rule does nothing: write +app, -app, +group, -group or max-frames=N after its matchers.",
    );
  return actions;
}

function readAction(reader: LineReader): StackAction {
  const from = reader.at;
  const word = reader.match(/\S+/y) ?? "";
  const [, range, sign, kind] = /^([v^]?)([+-])(app|group)$/.exec(word) ?? [];
  if (kind === "app" || kind === "group")
    return { kind, isOn: sign === "+", range: range === "^" ? "called" : range === "v" ? "callers" : "frame" };
  const [, name, value = ""] = /^(max-frames|min-frames|category)=(.*)$/.exec(word) ?? [];
  if (name === "category") {
    if (!/^[\w.-]{1,64}$/.test(value)) throw new RuleError(from, "A category is a word of letters, digits, - and _.");
    return { kind: name, value };
  }
  if (name === "max-frames" || name === "min-frames") {
    const count = Number(value);
    if (!/^\d{1,4}$/.test(value) || count < 1 || count > MAX_FRAME_COUNT)
      throw new RuleError(from, `${name} is a number from 1 to ${MAX_FRAME_COUNT}.`);
    return { kind: name, count };
  }
  throw new RuleError(
    from,
    `“${word.slice(0, 40)}” is neither a matcher nor an action. Actions are +app, -app, +group, -group, each also with ^ or v before it, max-frames=N, min-frames=N and category=NAME.`,
  );
}
