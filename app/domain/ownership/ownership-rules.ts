import { compileGlob, type Glob } from "../grouping-rules/glob.ts";
import { LineReader, type ReadRules, RuleError, readRules } from "../grouping-rules/rule-line.ts";
import { compileCodeownersPattern } from "./codeowners-pattern.ts";

export type OwnershipMatcher = "path" | "module" | "url" | "tag" | "codeowners";

/** `path:src/billing/* #billing ada@example.com` */
export interface OwnershipRule {
  /** The number of the line, from 1. */
  line: number;
  /** The rule as it was written. */
  text: string;
  matcher: OwnershipMatcher;
  /** For `tags.NAME`: the name. Null: it is another matcher. */
  tag: string | null;
  /** One of them must match. */
  globs: readonly Glob[];
  /** Slugs of teams with a hash, and e-mail addresses. Only a `codeowners:` rule may have none: then nobody owns the files. */
  owners: readonly string[];
}

/** The highest number of owners in one rule. */
const MAX_OWNERS = 20;
const MAX_OWNER_CHARS = 254;

const EXAMPLE = "path:src/billing/* #billing ada@example.com";

/** Reads the rules. The last rule that matches an event decides its owners. */
export function readOwnershipRules(text: string): ReadRules<OwnershipRule> {
  return readRules(text, readLine);
}

function readLine(text: string, line: number): OwnershipRule {
  const reader = new LineReader(text);
  const { matcher, tag } = readMatcher(reader);
  const pattern = reader.readText(/\s/, "The pattern");
  const globs =
    matcher === "codeowners"
      ? compileCodeownersPattern(pattern)
      : [compileGlob(matcher === "path" ? pattern.replaceAll("\\", "/") : pattern)];
  reader.skipSpace();
  const owners: string[] = [];
  while (!reader.isAtEnd) {
    const from = reader.at;
    const owner = reader.match(/\S+/y) ?? "";
    if (owner.length > MAX_OWNER_CHARS || !/^(?:#[a-z0-9_-]+|[^\s@#]+@[^\s@]+)$/i.test(owner))
      throw new RuleError(
        from,
        `“${owner.slice(0, 60)}” is no owner. Owners are e-mail addresses of members, and slugs of teams like #billing.`,
      );
    if (owners.length >= MAX_OWNERS) throw new RuleError(from, `A rule has at most ${MAX_OWNERS} owners.`);
    if (!owners.includes(owner)) owners.push(owner);
    reader.skipSpace();
  }
  if (owners.length === 0 && matcher !== "codeowners")
    throw new RuleError(reader.at, `The rule names no owner. Write one behind the pattern, as in ${EXAMPLE}.`);
  return { line, text: text.trim(), matcher, tag, globs, owners };
}

function readMatcher(reader: LineReader): { matcher: OwnershipMatcher; tag: string | null } {
  const from = reader.at;
  const word = reader.match(/[^\s:]+:/y) ?? "";
  const name = word.slice(0, -1);
  if (name === "path" || name === "module" || name === "url" || name === "codeowners")
    return { matcher: name, tag: null };
  const tag = /^tags\.(.{1,200})$/.exec(name)?.[1];
  if (tag !== undefined) return { matcher: "tag", tag };
  throw new RuleError(
    from,
    `A rule begins with path:, module:, url:, tags.NAME: or codeowners:, and a pattern right behind it, as in ${EXAMPLE}.`,
  );
}
