import { expect, test } from "vitest";
import { findQuotaWindow, type Quota, withoutQuota, withQuota } from "./quota.ts";

test("windows are those of the calendar in UTC", () => {
  const at = Date.UTC(2028, 1, 29, 23, 59, 59, 999);
  expect(findQuotaWindow("minute", at)).toEqual({
    startedAt: Date.UTC(2028, 1, 29, 23, 59),
    endsAt: Date.UTC(2028, 2, 1),
  });
  expect(findQuotaWindow("day", at)).toEqual({ startedAt: Date.UTC(2028, 1, 29), endsAt: Date.UTC(2028, 2, 1) });
  expect(findQuotaWindow("month", at)).toEqual({ startedAt: Date.UTC(2028, 1, 1), endsAt: Date.UTC(2028, 2, 1) });
  expect(findQuotaWindow("month", at + 1).startedAt).toBe(Date.UTC(2028, 2, 1));
  expect(findQuotaWindow("month", Date.UTC(2026, 11, 31)).endsAt).toBe(Date.UTC(2027, 0, 1));
});

test("a quota takes the place of one of its kind and period, and stands in order", () => {
  const daily: Quota = { kind: "errors", period: "day", limit: 5 };
  const spans: Quota = { kind: "spans", period: "minute", limit: 1 };
  const both = withQuota([spans], daily);
  expect(both).toEqual([daily, spans]);
  expect(withQuota(both, { ...daily, limit: 6 })).toEqual([{ ...daily, limit: 6 }, spans]);
  expect(withQuota(both, { ...daily, period: "month" })).toHaveLength(3);
  expect(withoutQuota(both, daily)).toEqual([spans]);
});
