import { expect, test } from "vitest";
import { parseProjectListFilters, toProjectListPath } from "./project-list-filters.ts";

test.each(["page=0", "page=-1", "page=1.5", "page=x", "sort=loudest", ""])("%s gives the defaults", (query) => {
  expect(parseProjectListFilters(new URLSearchParams(query))).toEqual({ text: "", sort: "events", page: 1 });
});

test("the address has what is chosen; another order begins at the first page", () => {
  const filters = parseProjectListFilters(new URLSearchParams("q=+shop&sort=name&page=3"));
  expect(filters).toEqual({ text: "shop", sort: "name", page: 3 });
  expect(toProjectListPath(filters, { page: 4 })).toBe("/projects?q=shop&sort=name&page=4");
  expect(toProjectListPath(filters, { sort: "events" })).toBe("/projects?q=shop");
});
