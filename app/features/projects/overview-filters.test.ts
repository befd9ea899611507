import { expect, test } from "vitest";
import { parseOverviewFilters, toOverviewSearch } from "./overview-filters.ts";

test("unknown choices become the defaults", () => {
  const params = new URLSearchParams("period=9y&top=loudest");
  expect(parseOverviewFilters(params)).toEqual({ period: "14d", environment: "", top: "users" });
});

test("the address has what is chosen, and no default", () => {
  const filters = parseOverviewFilters(new URLSearchParams("period=7d&environment=staging&top=new"));
  expect(toOverviewSearch(filters)).toBe("?period=7d&environment=staging&top=new");
  expect(toOverviewSearch(filters, { period: "14d", top: "users" })).toBe("?environment=staging");
});
