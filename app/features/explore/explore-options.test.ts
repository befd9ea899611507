import { expect, test } from "vitest";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { addFilter, readExploreOptions, toExplorePath } from "./explore-options.ts";

const read = (search: string) => readExploreOptions(new URLSearchParams(search));

test("the address holds the whole state, and says nothing where it is as by default", () => {
  expect(toExplorePath(read(""))).toBe("/traces");
  const path =
    "/traces?q=cart&project=shop&environment=live&period=1h&show=sum%28span.duration%29&by=release&by=customer.tier&view=aggregates&order=slowest&cursor=5-4";
  expect(toExplorePath(read(path.slice(8)), { cursor: "5-4" })).toBe(path);
  expect(toExplorePath(read(path.slice(8)))).not.toContain("cursor");
  expect(toExplorePath(read("by="))).toBe("/traces?by=");
  expect(toExplorePath(read("period=9y&show=nothing&view=none"))).toBe("/traces");
});

test("a value with quotes is found as it is", () => {
  const value = 'SELECT "a\\b"';
  const { condition } = bindSearch(parseSearch(addFilter("cart", "span.group", value)).tree, SPAN_VOCABULARY, 0);
  expect(JSON.stringify(condition)).toContain(JSON.stringify(value));
});
