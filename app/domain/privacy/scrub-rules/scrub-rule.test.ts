import { describe, expect, test } from "vitest";
import { boundPattern } from "./bound-pattern.ts";
import { readScrubRules } from "./scrub-rule.ts";
import { matchesSelector, readSelector } from "./selector.ts";

function errorOf(line: string): [line: number, character: number, message: string] | null {
  const read = readScrubRules(line);
  const [error] = read.ok ? [] : read.errors;
  return error === undefined ? null : [error.line, error.character, error.message];
}

describe("rules", () => {
  test("are read, with comments and blank lines", () => {
    const read = readScrubRules(
      '# who\nmask email from $user.email\n\nreplace /ORD-\\d+/i with "[an order]" from $message\nremove anything from **.ssn',
    );
    expect(read.ok && read.rules.map(({ method, what, replacement }) => [method, what.kind, replacement])).toEqual([
      ["mask", "email", "[Filtered]"],
      ["replace", "pattern", "[an order]"],
      ["remove", "anything", "[Filtered]"],
    ]);
  });

  test.each([
    ["drop email from $user", 1, "begins with remove, mask, hash, replace"],
    ["mask phone from $user", 6, "what is masked is expected"],
    ["mask email $user", 12, "“from” is expected"],
    ["mask email from", 16, "a key is expected"],
    ["mask email from $user && $string", 22, "“&&” is not known"],
    ["mask email from $nothing", 17, "“$nothing” is not known"],
    ["mask email with x from $user", 12, "only replace has a text"],
    ["mask /(a+)+/ from $string", 7, "cannot be repeated"],
    ["mask /a", 6, "a pattern is written"],
  ])("%s names the character", (line, character, message) => {
    expect(errorOf(`# first\n${line}`)).toEqual([2, character, expect.stringContaining(message)]);
  });
});

describe("places", () => {
  const matches = (selector: string, path: Array<string | number>, type: "string" | "number" = "string") => {
    const read = readSelector(selector);
    return (
      read.ok &&
      matchesSelector(read.parts, {
        path,
        folded: path.map((key) => (typeof key === "string" ? key.toLowerCase() : key)),
        type,
      })
    );
  };
  test.each<[string, Array<string | number>, boolean]>([
    ["$string", ["extra", "a", 0, "b"], true],
    ["$number", ["extra", "a"], false],
    ["extra.foo", ["extra", "foo"], true],
    ["extra.foo", ["extra", "foo", "inside", 3], true],
    ["extra.foo", ["extra", "Foo"], true],
    ["extra.foo", ["contexts", "extra", "foo"], false],
    ["foo", ["extra", "foo"], false],
    ["**.password", ["extra", "a", "password"], true],
    ["**.password", ["password"], true],
    ["extra.*.key", ["extra", "a", "key"], true],
    ["extra.*.key", ["extra", "a", "b", "key"], false],
    ["extra.**.key", ["extra", "a", "b", "key"], true],
    ["$user.email", ["user", "email"], true],
    ["$user.email", ["extra", "user", "email"], false],
    ["$http.headers.Cookie", ["request", "headers", "cookie"], true],
    ["$frame.vars.cart", ["exception", "values", 0, "stacktrace", "frames", 2, "vars", "cart"], true],
    ["$exception.value", ["exception", "values", 0, "value"], true],
    ["$breadcrumb.message", ["breadcrumbs", "values", 1, "message"], true],
    ["tags.'my tag'", ["tags", "my tag"], true],
  ])("%s and %j: %s", (selector, path, isMatch) => {
    expect(matches(selector, path)).toBe(isMatch);
  });
});

describe("patterns", () => {
  test.each([
    "(a+)+$",
    "(a|a)*$",
    "(.*)*",
    "a*a*a*b",
    "(a|ab|b)(a|b|c)\\w+\\w+",
    "(?=a)b",
    "(a)\\1",
    "x*",
    "[",
    "(",
    "*a",
  ])("%s is refused", (source) => {
    expect(boundPattern(source).ok).toBe(false);
  });

  test.each([
    ["ORD-\\d+", "ORD-\\d{1,64}"],
    ["(?:foo|bar)-[a-z]{3}", "(?:foo|bar)-[a-z]{3,3}"],
    ["key=(\\w+)&id=\\d{1,9}?", "key=\\w{1,64}&id=\\d{1,9}?"],
    ["a?(?:b|c)?d", "a{0,1}(?:b|c){0,1}d"],
    ["[\\w.]+@[\\w.]+\\.com", "[\\w.]{1,64}@[\\w.]{1,64}\\.com"],
    ["user=\\w+&id=\\d+ of .*", "user=\\w{1,64}&id=\\d{1,64} of .{0,64}"],
  ])("%s gets an end", (source, bounded) => {
    expect(boundPattern(source)).toMatchObject({ ok: true, source: bounded });
  });

  test("the slowest pattern that is allowed takes steps in proportion to the text", () => {
    const bounded = boundPattern("\\w+\\w{1,5}!");
    expect(bounded.ok).toBe(true);
    // With repeats without an end, 60,000 letters would take a trillion steps, and this test would not end.
    expect("a".repeat(60_000).replaceAll(new RegExp(bounded.ok ? bounded.source : "", "gu"), "")).toHaveLength(60_000);
  });
});
