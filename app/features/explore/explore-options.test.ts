import { expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { addFilter, readExploreOptions, toExplorePath } from "./explore-options.ts";

const read = (search: string) => readExploreOptions(new URLSearchParams(search));

test("the address holds the whole state, and says nothing where it is as by default", () => {
  expect(toExplorePath(read(""))).toBe("/traces");
  const path =
    "/traces?q=cart&project=shop&project=web&environment=live&environment=test&range=1h&show=sum%28span.duration%29&by=release&by=customer.tier&view=aggregates&order=slowest&cursor=5-4";
  expect(toExplorePath(read(path.slice(8)), { cursor: "5-4" })).toBe(path);
  expect(toExplorePath(read(path.slice(8)))).not.toContain("cursor");
  expect(toExplorePath(read("period=1h"))).toBe("/traces?range=1h");
  expect(toExplorePath(read("by="))).toBe("/traces?by=");
  expect(toExplorePath(read("period=9y&show=nothing&view=none"))).toBe("/traces");
});

test("a search that goes on keeps its place in other views, and begins again with the newest spans for another search", () => {
  const options = read("q=plan:pro&before=1790000000000");
  expect(options.before).toBe(1_790_000_000_000);
  expect(toExplorePath(options, { view: "traces" })).toContain("before=1790000000000");
  expect(toExplorePath(options, { before: 17 })).toContain("before=17");
  for (const change of [{ search: "plan:free" }, { projectSlugs: ["shop"] }, { environments: [] }, { before: null }])
    expect(toExplorePath(options, change)).not.toContain("before");
  for (const wrong of ["before=", "before=-1", "before=1e9", "before=soon"]) expect(read(wrong).before).toBeNull();
});

test("a value with quotes is found as it is", () => {
  const value = 'SELECT "a\\b"';
  const { condition } = bindSearch(parseSearch(addFilter("cart", "span.group", value)).tree, SPAN_VOCABULARY, 0);
  expect(JSON.stringify(condition)).toContain(JSON.stringify(value));
  expect(addFilter("cart", "@type", "x", true)).toBe('cart !"@type":"x"');
  expect(addFilter("", "tags[level,number]", "5")).toBe('tags[level]:"5"');
});

test("groups are sorted by a figure or a key that is shown, and by nothing else", () => {
  const path = "/traces?view=aggregates&sort=-p95%28span.duration%29";
  expect(read(path.slice(8)).sort).toEqual({ name: "p95(span.duration)", isDescending: true });
  expect(toExplorePath(read(path.slice(8)))).toBe(path);
  expect(read("sort=span.op").sort).toEqual({ name: "span.op", isDescending: false });
  for (const wrong of ["sort=", "sort=-", "sort=--count()", "sort=release", "sort=max(span.duration)"])
    expect(read(wrong).sort).toBeNull();
});
