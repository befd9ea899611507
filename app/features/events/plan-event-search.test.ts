import { expect, test } from "vitest";
import { planEventSearch } from "./plan-event-search.ts";

const words = Array.from({ length: 11 }, (_, index) => `word${index}`);

test.each([" ", " OR ", " !"])("eleven words with “%s” between them are refused, and ten are not", (between) => {
  expect(planEventSearch(words.join(between), 0).errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("at most 10 words"),
  ]);
  expect(planEventSearch(words.slice(1).join(between), 0).errors).toEqual([]);
});
