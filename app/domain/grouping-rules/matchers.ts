import { compileGlob, type Glob } from "./glob.ts";
import { MAX_MATCHERS } from "./rule-limits.ts";
import { type LineReader, RuleError } from "./rule-line.ts";

/** The field that a matcher checks. `tag` and `thread` also need a name. */
export type MatchedField =
  | "type"
  | "value"
  | "mechanism"
  | "module"
  | "path"
  | "package"
  | "function"
  | "category"
  | "app"
  | "message"
  | "logger"
  | "level"
  | "tag"
  | "release"
  | "sdk"
  | "family"
  | "thread";

export interface Matcher {
  field: MatchedField;
  /** For `tag`: its key. For `thread`: `id`, `name`, `state`, `crashed` or `current`. Otherwise empty. */
  name: string;
  isNegated: boolean;
  /** The pattern as it was written. */
  pattern: string;
  glob: Glob;
}

/** Fields that are of one exception, and of one frame: all of a rule's must hold for the same one. */
export const EXCEPTION_FIELDS: ReadonlySet<MatchedField> = new Set(["type", "value", "mechanism"]);
export const FRAME_FIELDS: ReadonlySet<MatchedField> = new Set([
  "module",
  "path",
  "package",
  "function",
  "category",
  "app",
]);

const FIELDS: ReadonlyMap<string, MatchedField> = new Map([
  ["error.type", "type"],
  ["type", "type"],
  ["error.value", "value"],
  ["value", "value"],
  ["error.mechanism", "mechanism"],
  ["mechanism", "mechanism"],
  ["stack.module", "module"],
  ["module", "module"],
  ["stack.abs_path", "path"],
  ["path", "path"],
  ["stack.package", "package"],
  ["package", "package"],
  ["stack.function", "function"],
  ["function", "function"],
  ["category", "category"],
  ["app", "app"],
  ["message", "message"],
  ["logger", "logger"],
  ["level", "level"],
  ["release", "release"],
  ["sdk", "sdk"],
  ["family", "family"],
]);

const THREAD_FIELDS = ["id", "name", "state", "crashed", "current"];
const CASE_FREE: ReadonlySet<MatchedField> = new Set(["message", "value", "level", "path", "package"]);
const PATHS: ReadonlySet<MatchedField> = new Set(["path", "package"]);
const YES = new Set(["yes", "true", "1"]);
const NO = new Set(["no", "false", "0"]);
const FAMILIES = new Set(["native", "javascript", "other", "all"]);

/** Reads `!name:pattern`. Null: there is no name here. @throws {RuleError} */
export function readMatcher(reader: LineReader, allowed: ReadonlySet<MatchedField>): Matcher | null {
  const from = reader.at;
  const isNegated = reader.take("!");
  const written = reader.match(/(?:[A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*")(?=:)/y);
  if (written === null) {
    if (isNegated) throw new RuleError(from, "After ! there must be a matcher, like !error.type:TypeError.");
    return null;
  }
  const key = written.startsWith('"') ? written.slice(1, -1) : written;
  const { field, name } = toField(key, from, allowed);
  reader.take(":");
  const pattern = reader.readText(/[\s]/, `The value of ${key}`);
  return { field, name, isNegated, pattern, glob: toGlob(field, name, pattern, from) };
}

/** Matchers up to something else. @throws {RuleError} */
export function readMatchers(reader: LineReader, allowed: ReadonlySet<MatchedField>): Matcher[] {
  const matchers: Matcher[] = [];
  for (;;) {
    const from = reader.at;
    const matcher = readMatcher(reader, allowed);
    if (matcher === null) return matchers;
    if (matchers.length >= MAX_MATCHERS) throw new RuleError(from, `A rule has at most ${MAX_MATCHERS} matchers.`);
    matchers.push(matcher);
    reader.skipSpace();
  }
}

function toField(key: string, at: number, allowed: ReadonlySet<MatchedField>): Pick<Matcher, "field" | "name"> {
  const [, group, rest = ""] = /^(tags|thread)\.(.+)$/.exec(key) ?? [];
  if (group === "tags" && allowed.has("tag")) return { field: "tag", name: rest };
  if (group === "thread" && allowed.has("thread")) {
    if (THREAD_FIELDS.includes(rest)) return { field: "thread", name: rest };
    throw new RuleError(at, `Of a thread there are ${THREAD_FIELDS.join(", ")}; not “${rest.slice(0, 40)}”.`);
  }
  const field = FIELDS.get(key);
  if (field !== undefined && allowed.has(field)) return { field, name: "" };
  const known = [...FIELDS].flatMap(([name, each]) =>
    allowed.has(each) && !FIELDS.has(`error.${name}`) && !FIELDS.has(`stack.${name}`) ? [name] : [],
  );
  const last = allowed.has("tag") ? [...known, "tags.NAME"] : known;
  throw new RuleError(at, `There is no matcher “${key.slice(0, 40)}”. There are ${last.join(", ")}.`);
}

function toGlob(field: MatchedField, name: string, pattern: string, at: number): Glob {
  if (field === "app" || (field === "thread" && (name === "crashed" || name === "current"))) {
    const word = pattern.toLowerCase();
    if (!YES.has(word) && !NO.has(word))
      throw new RuleError(
        at,
        `${field === "app" ? "app" : `thread.${name}`} is yes or no, not “${pattern.slice(0, 40)}”.`,
      );
    return compileGlob(YES.has(word) ? "yes" : "no");
  }
  if (field === "family") {
    const unknown = pattern.split(",").find((family) => !FAMILIES.has(family.trim()));
    if (unknown !== undefined)
      throw new RuleError(at, `The families are ${[...FAMILIES].join(", ")}; not “${unknown.slice(0, 40)}”.`);
  }
  return compileGlob(pattern, { isPath: PATHS.has(field), ignoresCase: CASE_FREE.has(field) });
}
