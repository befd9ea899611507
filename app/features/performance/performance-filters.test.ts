import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import {
  parsePerformanceFilters,
  parseTransactionAddress,
  toPerformancePath,
  toPerformanceTime,
  toTransactionPath,
} from "./performance-filters.ts";

test("an address holds the whole view, and what is not understood becomes the default", () => {
  const path = "/performance?project=shop&environment=production&range=7d&q=cart&sort=p95&view=vitals";
  expect(toPerformancePath(parsePerformanceFilters(new URL(path, "http://a").searchParams))).toBe(path);
  expect(toPerformancePath(parsePerformanceFilters(new URLSearchParams("range=2y&sort=x&view=y")))).toBe(
    "/performance",
  );
});

test("a transaction's address tells one without a name from those that lost theirs", () => {
  const path = "/performance/transaction?project=shop&name=GET+%2F%3Fa&op=http.server&environment=staging&range=1h";
  const address = parseTransactionAddress(new URL(path, "http://a").searchParams);
  expect(address && toTransactionPath(address)).toBe(path);
  expect(parseTransactionAddress(new URLSearchParams("project=shop"))).toMatchObject({ name: null, op: "" });
  expect(parseTransactionAddress(new URLSearchParams("name=a"))).toBeNull();
});

test("times are whole hours, except in the last hour, and the period before is as long", () => {
  const now = Date.UTC(2026, 10, 23, 15, 4, 9);
  expect(toPerformanceTime("24h", now)).toEqual({
    to: Date.UTC(2026, 10, 23, 16),
    from: Date.UTC(2026, 10, 22, 16),
    before: Date.UTC(2026, 10, 21, 16),
    bucketMs: HOUR_MS,
    passedMs: now - Date.UTC(2026, 10, 22, 16),
  });
  expect(toPerformanceTime("1h", now)).toMatchObject({ to: Date.UTC(2026, 10, 23, 15, 5), bucketMs: MINUTE_MS });
});
