import { expect, test } from "vitest";
import { cutLine, SourceLines } from "./source-lines.ts";

test("gives five lines on either side, fewer at the ends", () => {
  const lines = new SourceLines(Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n"));
  expect(lines.context(10, 0)).toEqual({
    contextLine: "line 10",
    preContext: ["line 5", "line 6", "line 7", "line 8", "line 9"],
    postContext: ["line 11", "line 12", "line 13", "line 14", "line 15"],
  });
  expect(lines.context(0, 0)?.preContext).toEqual([]);
  expect(lines.context(19, 0)?.postContext).toEqual([]);
  expect(lines.context(20, 0)).toBeNull();
});

test("counts every kind of line end once", () => {
  const lines = new SourceLines("a\r\nb\rc\nd");
  expect([0, 1, 2, 3, 4].map((index) => lines.line(index))).toEqual(["a", "b", "c", "d", null]);
});

test("cuts long lines around the column", () => {
  const line = `${"a".repeat(300)}HERE${"b".repeat(300)}`;
  const cut = cutLine(line, 300);
  expect(cut).toMatch(/^\{snip\} a+HEREb+ \{snip\}$/);
  expect(cut.length).toBe(140 + 2 * "{snip} ".length);
  expect(cutLine(line, 0)).toBe(`${line.slice(0, 140)} {snip}`);
  expect(cutLine(line, 9_999)).toBe(`{snip} ${line.slice(-140)}`);
  expect(cutLine("x".repeat(140), 70)).toBe("x".repeat(140));
});

test("does not cut a character in two", () => {
  const line = "😀".repeat(200);
  for (const column of [60, 61, 62, 63, 200, 201])
    expect(cutLine(line, column)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
});
