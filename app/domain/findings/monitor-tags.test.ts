import { expect, test } from "vitest";
import { bindRuleConditions, findConditionProblem, fitsConditions } from "../alerts/rule-conditions.ts";
import { readMonitorRef, toMonitorRulePath, toMonitorSearch, toMonitorTags } from "./monitor-tags.ts";

test("a rule for a monitor fits its events, and no others", () => {
  const search = toMonitorSearch({ kind: "uptime", id: 3 });
  expect(findConditionProblem(search, 0)).toBeNull();
  const condition = bindRuleConditions({ match: "all", conditions: [search] }, 0);
  const none = { field: () => null, tagValues: () => [], tag: () => null };
  const fits = (tags: Record<string, string>) =>
    fitsConditions(condition, none, { ...none, tag: (key) => tags[key] ?? null });
  expect(fits(toMonitorTags({ kind: "uptime", id: 3, name: "Shop" }))).toBe(true);
  expect(fits(toMonitorTags({ kind: "certificate", id: 3, name: "Shop" }))).toBe(true);
  expect(fits(toMonitorTags({ kind: "uptime", id: 4, name: "Shop" }))).toBe(false);
  expect(fits(toMonitorTags({ kind: "cron", id: 3, name: "Shop" }))).toBe(false);
});

test("a link names a monitor", () => {
  const path = toMonitorRulePath({ kind: "cron", id: 12 }, { project: "shop", name: "a & b" });
  const word = new URL(path, "https://example.com").searchParams.get("monitor") ?? "";
  expect(readMonitorRef(word)).toEqual({ kind: "cron", id: 12 });
  for (const wrong of ["", "cron", "cron:", "cron:x", "moon:1", "cron:12 x"]) expect(readMonitorRef(wrong)).toBeNull();
});
