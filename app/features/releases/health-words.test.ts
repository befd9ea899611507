import { expect, test } from "vitest";
import { DEFAULT_HEALTH_GOAL, judgeHealth } from "../../domain/releases/release-health.ts";
import { formatShare, formatSpent, sayBudget } from "./health-words.ts";

test("a share is cut, so that nothing becomes 100 % by rounding", () => {
  const shares = [1, 0, null, 0.99996, 0.9953, 0.995, 0.98, 0.5, 0.123];
  expect(shares.map(formatShare)).toEqual([
    "100 %",
    "0 %",
    "—",
    "99.996 %",
    "99.53 %",
    "99.5 %",
    "98 %",
    "50 %",
    "12.3 %",
  ]);
});

test("the budget says what is spent of it", () => {
  const say = (total: number, crashed: number) =>
    sayBudget(judgeHealth({ total, crashed }, DEFAULT_HEALTH_GOAL), crashed);
  expect(say(1_000, 2)).toBe("2 crashes of 5 that the target allows: 40 % of the budget.");
  expect(say(1_000, 1)).toBe("1 crash of 5 that the target allows: 20 % of the budget.");
  expect(say(1_000, 100)).toBe("100 crashes of 5 that the target allows: 20 times the budget.");
  expect(say(0, 0)).toBe("No crash.");
  // A share of less than one crash would be thousands of percent.
  expect(say(1, 1)).toBe("1 crash; of so few sessions, the target allows none.");
  const spent = (total: number, crashed: number) => formatSpent(judgeHealth({ total, crashed }, DEFAULT_HEALTH_GOAL));
  expect([spent(1, 1), spent(1_000, 1), spent(0, 0)]).toEqual(["—", "20 %", "—"]);
});
