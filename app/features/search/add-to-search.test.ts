import { expect, test } from "vitest";
import { addToSearch } from "./add-to-search.ts";

test.each([
  ["", "b", "b"],
  ["a", "b", "a b"],
  ["a OR c", "b", "(a OR c) b"],
  ["(a OR c) d", "b", "(a OR c) d b"],
  ["((a OR c) d) OR e", "b", "(((a OR c) d) OR e) b"],
  ['"this OR that" :)', "b", '"this OR that" :) b'],
])("to “%s” the filter is added that all must pass", (search, filter, found) => {
  expect(addToSearch(search, filter)).toBe(found);
});
