import { describe, expect, test } from "vitest";
import { readFingerprintRules } from "./fingerprint-rules.ts";
import { MAX_LINE_CHARS, MAX_RULES } from "./rule-limits.ts";
import { readStackRules } from "./stack-rules.ts";

function problemOf(read: { ok: boolean; problem?: { line: number; column: number; message: string } }) {
  if (read.ok || !read.problem) throw new Error("the rules can be read");
  const { line, column, message } = read.problem;
  return `${line}:${column} ${message}`;
}

describe("fingerprint rules", () => {
  test("matchers, parts and a title", () => {
    const read = readFingerprintRules(
      [
        "# prices",
        "",
        String.raw`type:TypeError !tags.bank:"Nord \"A\"" -> "two words", {{ default }} shop-{{ error.type }} title="Price: {{ value }}"`,
      ].join("\r\n"),
    );
    if (!read.ok) throw new Error(read.problem.message);
    expect(read.rules).toMatchObject([
      {
        line: 3,
        fingerprint: ["two words", "{{ default }}", "shop-{{ error.type }}"],
        title: "Price: {{ value }}",
        matchers: [
          { field: "type", isNegated: false, pattern: "TypeError" },
          { field: "tag", name: "bank", isNegated: true, pattern: 'Nord "A"' },
        ],
      },
    ]);
  });

  test.each([
    ["-> a", "1:1 A rule begins with a matcher"],
    ["# fine\ntype:A", "2:7 The rule has no ->"],
    ["type:A stack.fn:x -> a", "1:8 There is no matcher “stack.fn”"],
    ["type:A ->", "1:10 After -> there must be at least one part"],
    ['message:"open -> a', "1:9 The quotation mark is not closed"],
    ["type: -> a", "1:6 The value of type is missing"],
    ["type:A -> {{ nope }}", "1:11 There is no variable “nope”"],
    ["type:A -> a color=red", "1:13 There is no attribute “color”"],
    ["app:maybe -> a", "1:1 app is yes or no"],
    ["family:cobol -> a", "1:1 The families are"],
    ["error.mechanism:x -> a", "1:1 There is no matcher"],
    [`type:${"a".repeat(301)} -> a`, "1:6 The value of type has at most 300"],
    [`type:A -> ${"a".repeat(MAX_LINE_CHARS)}`, `1:${MAX_LINE_CHARS} A rule has at most`],
    ["type:A -> a\n".repeat(MAX_RULES + 1), `${MAX_RULES + 1}:1 There are at most ${MAX_RULES} rules`],
    ["a".repeat(40_000), "1:1 The text has 40000 characters"],
  ])("%s", (text, problem) => {
    expect(problemOf(readFingerprintRules(text))).toContain(problem);
  });
});

describe("stack-trace rules", () => {
  test("neighbours, ranges and numbers", () => {
    const read = readStackRules("[ function:main ] | path:**/gen/** | [ app:yes ] ^-group v+app max-frames=3");
    if (!read.ok) throw new Error(read.problem.message);
    expect(read.rules).toMatchObject([
      {
        caller: { field: "function", pattern: "main" },
        matchers: [{ field: "path" }],
        called: { field: "app" },
        actions: [
          { kind: "group", isOn: false, range: "called" },
          { kind: "app", isOn: true, range: "callers" },
          { kind: "max-frames", count: 3 },
        ],
      },
    ]);
  });

  test.each([
    ["function:a", "1:11 The rule does nothing"],
    ["-app", "1:1 Here a matcher is missing"],
    ["function:a -foo", "1:12 “-foo” is neither a matcher nor an action"],
    ["function:a max-frames=0", "1:12 max-frames is a number from 1 to 300"],
    ["[ function:a function:b -app", "1:14 Here ] is missing"],
    ["logger:x -app", "1:1 There is no matcher “logger”"],
  ])("%s", (text, problem) => {
    expect(problemOf(readStackRules(text))).toContain(problem);
  });
});
