import { expect, test } from "vitest";
import { escapeMarkdown, fence, inlineCode, toFactLines } from "./write-markdown.ts";

test("a block ends at its own fence, whatever is in it", () => {
  const hostile = "a\r```\r\n````\n# heading\n[x](javascript:alert(1))";
  const lines = fence(hostile).split("\n");
  expect(lines[0]).toBe("`````");
  expect(lines.indexOf("`````", 1)).toBe(lines.length - 1);
  expect(lines).toContain("# heading");
  expect(fence(hostile)).not.toContain("\r");
});

test("very many runs of backticks are no fault", () => {
  expect(fence("`a".repeat(500_000))).toMatch(/^```\n`a/);
  expect(inlineCode("`a".repeat(500_000))).toMatch(/^`` `a/);
});

test("texts are cut, and say so", () => {
  expect(fence("x".repeat(5_000_000)).length).toBeLessThan(100_100);
  expect(fence("x".repeat(5_000_000))).toContain("x\n… cut after 100,000 characters\n");
  expect(inlineCode("x".repeat(5_000_000))).toBe(`\`${"x".repeat(1_000)}…\``);
  expect(escapeMarkdown("😀".repeat(100_000)).isWellFormed()).toBe(true);
  expect(fence("\u0001".repeat(100_000)).length).toBeLessThan(100_100);
});

test("a line is one line of text: no list, heading, link, entity or table of its own", () => {
  expect(escapeMarkdown("# a\n\n## b")).toBe(String.raw`\# a \#\# b`);
  expect(escapeMarkdown("- a")).toBe(String.raw`\- a`);
  expect(escapeMarkdown(" + a")).toBe(String.raw`\+ a`);
  expect(escapeMarkdown("12. a")).toBe(String.raw`12\. a`);
  expect(escapeMarkdown("---")).toBe(String.raw`\---`);
  expect(escapeMarkdown("[a](javascript:b) <i> &lt; ~~c~~ | !")).toBe(
    String.raw`\[a\](javascript:b) \<i\> \&lt; \~\~c\~\~ \| !`,
  );
  expect(escapeMarkdown("at https://a.example/ or www.b.example")).toBe(
    String.raw`at https\://a.example/ or www\.b.example`,
  );
});

test("nothing is there unseen", () => {
  const unseen = "a\u202eb\u{e0049}\u{e0067}c\u200bd\u0085e\u001b[2Jf";
  const shown = String.raw`a\u202Eb\u{E0049}\u{E0067}c\u200Bd\u0085e\u001B[2Jf`;
  expect(inlineCode(unseen)).toBe(`\`${shown}\``);
  expect(fence(unseen)).toBe(`\`\`\`\n${shown}\n\`\`\``);
  expect(inlineCode("👩\u200d💻 ❤\ufe0f")).toBe("`👩\u200d💻 ❤\ufe0f`");
});

test("names of a list are text, too, and a value of spaces is code", () => {
  expect(toFactLines([["Clock of a**\n# b", "  "]])).toEqual(["- **Clock of a\\*\\* \\# b**: ` `"]);
});
