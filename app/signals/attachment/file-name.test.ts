import { expect, test } from "vitest";
import { toFileName } from "./file-name.ts";

test.each([
  ["a path", "C:\\Users\\ann\\dump.dmp", "C:\\Users\\ann\\dump.dmp"],
  ["an emoji", "📎 a.txt", "📎 a.txt"],
  ["a number", 12, "12"],
  ["nothing", " ", null],
  ["an object", {}, null],
  ["a name that reads backwards", "\u202egnp.exe", "gnp.exe"],
  ["two lines", "new\nline.txt", "new line.txt"],
  ["half a character", "\ud800.txt", "\ufffd.txt"],
])("the name of a file: %s", (_name, sent, shown) => {
  expect(toFileName(sent)).toBe(shown);
});

test("a long name keeps its ending", () => {
  const name = toFileName(`${"n".repeat(10_000)}.txt`);
  expect(name).toHaveLength(200);
  expect(name).toMatch(/^n+…\.txt$/);
  expect(toFileName(`a.${"n".repeat(10_000)}`)).toMatch(/^a\.n+…$/);
});
