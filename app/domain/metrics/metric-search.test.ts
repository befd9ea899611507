import { expect, test } from "vitest";
import { matchesCondition } from "../search/matches-condition.ts";
import { bindMetricSearch, countsEveryError, toWholeQuery } from "./metric-search.ts";

const ERRORS = { dataset: "errors", query: "", environment: null } as const;
const FOUND = { "monitor.kind": "metric", "monitor.id": "3" };

function fits(query: string, tags: Record<string, string>): boolean {
  const row = {
    field: (name: string) => (name !== "platform" ? "production" : tags === FOUND ? "other" : "python"),
    tag: (key: string) => tags[key] ?? null,
    tagValues: () => Object.values(tags),
  };
  return matchesCondition(bindMetricSearch({ ...ERRORS, query }, 0), row);
}

test("what monitors found is no error of the program, unless the search names it", () => {
  expect([fits("", {}), fits("", FOUND)]).toEqual([true, false]);
  expect([fits("environment:production", {}), fits("environment:production", FOUND)]).toEqual([true, false]);
  expect([fits("monitor.kind:[metric, cron]", {}), fits("monitor.kind:[metric, cron]", FOUND)]).toEqual([false, true]);
  expect([fits("!monitor.id:4", {}), fits("!monitor.id:4", FOUND)]).toEqual([true, true]);
});

test("the search that shows what a monitor counts leaves out the same", () => {
  expect(toWholeQuery(ERRORS)).toBe("!has:monitor.kind");
  expect(toWholeQuery({ ...ERRORS, query: "level:fatal" })).toBe("level:fatal !has:monitor.kind");
  expect(toWholeQuery({ ...ERRORS, query: "a OR b" })).toBe("(a OR b) !has:monitor.kind");
  expect(toWholeQuery({ ...ERRORS, query: "has:monitor.id" })).toBe("has:monitor.id");
  expect(toWholeQuery({ dataset: "logs", query: "severity:error" })).toBe("severity:error");
  expect(toWholeQuery({ dataset: "transactions", query: "" })).toBe("is_segment:true");
});

test("a monitor without a search counts every error", () => {
  expect(countsEveryError(ERRORS)).toBe(true);
  expect(countsEveryError({ ...ERRORS, environment: "production" })).toBe(false);
  expect(countsEveryError({ ...ERRORS, query: "x" })).toBe(false);
});
