import { expect, test } from "vitest";
import {
  listShownColumns,
  parseLogFilters,
  toAskedPath,
  toBucketMs,
  toggleFilter,
  toLinesPath,
  toLogsPath,
} from "./log-filters.ts";

const filters = (query: string) => parseLogFilters(new URLSearchParams(query));

const LINE = "00639d3a1f2c4000002a0123456789ab";

test("an address holds the whole view", () => {
  const query = `project=shop&environment=production&range=7d&q=a+b&col=trace&col=plan&before=${LINE}.3&line=${LINE}&around=trace`;
  expect(toLogsPath(filters(query))).toBe(`/logs?${query}`);
  expect(toLogsPath(filters("range=10-20"))).toBe("/logs?range=10-20");
  expect(toLogsPath(filters(""))).toBe("/logs");
});

test("what is not understood becomes the default", () => {
  expect(toLogsPath(filters("range=20-10&before=no&line=1e9.1&around=x"))).toBe("/logs");
});

test("another search begins at the newest line; an open line keeps the page", () => {
  const here = filters(`q=a&before=t17&line=${LINE}`);
  expect(toLogsPath(here, { search: "b" })).toBe("/logs?q=b");
  expect(toLogsPath(here, { line: null })).toBe("/logs?q=a&before=t17");
});

test("links that name a line by its number in the store are understood", () => {
  const { line, before } = filters("before=17.3&line=18.4");
  expect(line).toBe("18.4");
  expect(before).toEqual({ occurredUs: 18 });
});

test("a filter is added, and taken away when it is there", () => {
  expect(toggleFilter("", "service", "shop")).toBe("service:shop");
  expect(toggleFilter("cart", "service", "two words")).toBe('cart service:"two words"');
  expect(toggleFilter('cart service:"two words" a', "service", "two words")).toBe("cart a");
  expect(toggleFilter("cart", "service", "shop", { isNegated: true })).toBe("cart !service:shop");
  expect(toggleFilter("a OR b", "service", "shop")).toBe("(a OR b) service:shop");
  expect(toggleFilter("a service:shop", "service", "shop", { isNegated: true })).toBe("a !service:shop");
  expect(toggleFilter("!service:shop", "service", "shop")).toBe("service:shop");
  expect(toggleFilter("cart", "app.kubernetes.io/name", "shop")).toBe('cart "app.kubernetes.io/name":shop');
});

test("a histogram has at most sixty bars", () => {
  for (const minutes of [15, 60, 1440, 10_080, 129_600]) {
    const to = minutes * 60_000;
    expect(to / toBucketMs({ from: 0, to })).toBeLessThanOrEqual(60);
    expect(to / toBucketMs({ from: 0, to })).toBeGreaterThan(10);
  }
});

test("the usual column is shown, and named by the choice of columns, where it tells lines apart", () => {
  const shown = (query: string, ...services: string[]) =>
    listShownColumns(
      parseLogFilters(new URLSearchParams(query)),
      services.map((service) => ({ values: [service] })),
    ).map(({ key }) => key);
  expect(shown("", "shop", "payments")).toEqual(["service"]);
  expect(shown("", "shop", "shop")).toEqual([]);
  expect(shown("col=release", "1.0", "1.0")).toEqual(["release"]);
});

test("a column that somebody ticks is shown and stays in addresses, and one that was ticked already is no choice", () => {
  const ask = (fields: string, shown: string[]) => toAskedPath(new URLSearchParams(fields), shown);
  expect(ask("col=service", [])).toBe("/logs?col=service");
  expect(ask("q=a&col=service", ["service"])).toBe("/logs?q=a");
  expect(ask("col=service&col=release", ["service"])).toBe("/logs?col=service&col=release");
  const chosen = parseLogFilters(new URLSearchParams("col=service"));
  expect(toLogsPath(chosen, { search: "a" })).toBe("/logs?q=a&col=service");
  expect(toLogsPath(parseLogFilters(new URLSearchParams()))).toBe("/logs");
});

test("what lines are counted by stands in the address of the page, and not in those of lines for machines", () => {
  const filters = parseLogFilters(new URLSearchParams("by=duration.ms&q=cart"));
  expect(filters.by).toBe("duration.ms");
  expect(toLogsPath(filters)).toBe("/logs?q=cart&by=duration.ms");
  expect(toLogsPath(filters, { by: null })).toBe("/logs?q=cart");
  expect(toLinesPath("/logs/lines", filters, {})).toBe("/logs/lines?q=cart");
  for (const by of ["", " ", "x".repeat(201)]) expect(parseLogFilters(new URLSearchParams({ by })).by).toBe(null);
});
