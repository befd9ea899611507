import { type MatchedField, type Matcher, readMatchers } from "./matchers.ts";
import { MAX_FINGERPRINT_PARTS } from "./rule-limits.ts";
import { LineReader, type ReadRules, RuleError, readRules } from "./rule-line.ts";

/** `error.type:TypeError -> "prices", {{ default }} title="Prices are missing"` */
export interface FingerprintRule {
  /** The number of the line, from 1. */
  line: number;
  /** The rule as it was written. */
  text: string;
  matchers: Matcher[];
  /** The parts of the fingerprint, in the form in which a client sends them. At least one. */
  fingerprint: string[];
  /** A template for the title. Null: the event's own title is used. */
  title: string | null;
}

const ALLOWED: ReadonlySet<MatchedField> = new Set([
  "type",
  "value",
  "module",
  "path",
  "package",
  "function",
  "app",
  "message",
  "logger",
  "level",
  "tag",
  "release",
  "sdk",
  "family",
  "thread",
]);

/** Names in `{{ … }}`, beside `tags.NAME`. */
const FINGERPRINT_VARIABLES: ReadonlySet<string> = new Set([
  "default",
  "transaction",
  "message",
  "raw_message",
  "type",
  "error.type",
  "value",
  "error.value",
  "raw_value",
  "function",
  "stack.function",
  "path",
  "stack.abs_path",
  "stack.filename",
  "module",
  "stack.module",
  "package",
  "stack.package",
  "level",
  "logger",
  "release",
  "environment",
]);

/** The first rule that holds decides. */
export function readFingerprintRules(text: string): ReadRules<FingerprintRule> {
  return readRules(text, readLine);
}

function readLine(text: string, line: number): FingerprintRule {
  const reader = new LineReader(text);
  const matchers = readMatchers(reader, ALLOWED);
  if (matchers.length === 0 || !reader.startsWith("->")) throw expected(reader, matchers.length);
  reader.take("->");
  reader.skipSpace();
  const fingerprint: string[] = [];
  let title: string | null = null;
  while (!reader.isAtEnd) {
    const from = reader.at;
    const attribute = reader.match(/[A-Za-z_][\w-]*(?==)/y);
    if (attribute !== null) {
      if (attribute !== "title")
        throw new RuleError(from, `There is no attribute “${attribute.slice(0, 40)}”. There is title.`);
      reader.take("=");
      const at = reader.at;
      title = reader.readText(/\s/, "The title");
      checkVariables(title, at);
    } else {
      if (title !== null) throw new RuleError(from, "The title comes last.");
      fingerprint.push(readPart(reader));
      if (fingerprint.length > MAX_FINGERPRINT_PARTS)
        throw new RuleError(from, `A fingerprint has at most ${MAX_FINGERPRINT_PARTS} parts.`);
    }
    reader.skipSpace();
    if (reader.take(",")) reader.skipSpace();
  }
  if (fingerprint.length === 0)
    throw new RuleError(reader.at, "After -> there must be at least one part, like {{ default }}.");
  return { line, text: text.trim(), matchers, fingerprint, title };
}

function readPart(reader: LineReader): string {
  const from = reader.at;
  const variable = reader.match(/\{\{[^{}]*\}\}(?=[\s,]|$)/y);
  const part = variable ?? readPlain(reader);
  checkVariables(part, from);
  return part;
}

/** Braces with spaces in them belong to the part that they are in: `shop-{{ type }}`. */
function readPlain(reader: LineReader): string {
  if (reader.startsWith('"')) return reader.readText(/[\s,]/, "The part");
  const from = reader.at;
  const part = reader.match(/(?:\{\{[^{}]*\}\}|[^\s,"])+/y);
  if (part === null) throw new RuleError(from, "Here a part of the fingerprint is missing.");
  return part;
}

function checkVariables(template: string, at: number): void {
  for (const [, name = ""] of template.matchAll(/\{\{\s*(.*?)\s*\}\}/g)) {
    if (FINGERPRINT_VARIABLES.has(name) || /^tags\.[\w.:-]{1,200}$/.test(name)) continue;
    const names = [...FINGERPRINT_VARIABLES].join(", ");
    throw new RuleError(at, `There is no variable “${name.slice(0, 40)}”. There are ${names}, tags.NAME.`);
  }
}

function expected(reader: LineReader, matcherCount: number): RuleError {
  if (reader.isAtEnd) return new RuleError(reader.at, "The rule has no ->, and nothing after it.");
  return new RuleError(
    reader.at,
    matcherCount === 0
      ? "A rule begins with a matcher, like error.type:TypeError."
      : "Here a matcher like error.type:TypeError, or -> and a fingerprint, must follow.",
  );
}
