import { expect, test } from "vitest";
import { readIds } from "./read-ids.ts";

const form = (...fields: Array<[string, string]>) => {
  const made = new FormData();
  for (const [name, value] of fields) made.append(name, value);
  return made;
};

test("a form says what it changed against what the page showed", () => {
  const posted = form(["member-before", "1,2"], ["member", "2"], ["member", "3"], ["member", "x"]);
  expect(readIds(posted, "member")).toEqual({ add: [3], remove: [1] });
  expect(readIds(form(["member-before", ""], ["member", "2"]), "member")).toEqual({ add: [2], remove: [] });
});

test("without what the page showed, the boxes are the whole list", () => {
  expect(readIds(form(["member", "2"]), "member")).toEqual([2]);
});
