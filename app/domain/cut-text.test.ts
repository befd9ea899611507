import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

test("a long text is cut, and never inside a character", () => {
  expect(cutText("abc", 3)).toBe("abc");
  expect(cutText("abcd", 3)).toBe("ab…");
  expect(cutText("ab\u{1f680}", 3)).toBe("ab…");
  expect(cutText("\u{1f680}\u{1f680}", 3)).toBe("\u{1f680}…");
  expect(cutText("a\u{1f680}b", 3)).toBe("a…");
});
