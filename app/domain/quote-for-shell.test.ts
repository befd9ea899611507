import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoteText, quoteWord } from "./quote-for-shell.ts";

test.each([
  "",
  "it's",
  "a\nb",
  "\\'$(id)`id`",
  "\u0003id\n",
  "\u001b[201~\rid\r",
  "a\tb\u00857",
  "\u202ea\u200b1\\'\u2028",
])("bash reads %j as the text that was quoted, and nothing in it acts on a terminal", (text) => {
  const word = quoteText(text);
  expect(word).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
  const read = execFileSync("bash", ["-c", `printf %s ${word}`], {
    env: { LC_ALL: "C.UTF-8", PATH: process.env.PATH },
  });
  expect(read.toString()).toBe(text);
});

test("a harmless word stays as it is", () => {
  expect(quoteWord("shop@1.2.0-rc/a%20=b")).toBe("shop@1.2.0-rc/a%20=b");
  expect(quoteWord("")).toBe("''");
});
