import { expect, test } from "vitest";
import { DAY_MS } from "../time.ts";
import { computePriority, explainPriority, type PriorityFacts } from "./priority.ts";

const facts = (change: Partial<PriorityFacts>): PriorityFacts => ({
  level: "error",
  eventCount: 1,
  firstSeenAt: 0,
  lastSeenAt: 0,
  ...change,
});

test("the level decides, and what comes often is one step higher", () => {
  const often = { eventCount: 100 };
  expect(computePriority(facts({ level: "fatal" }))).toBe("high");
  expect(computePriority(facts({}))).toBe("medium");
  expect(computePriority(facts(often))).toBe("high");
  expect(computePriority(facts({ level: "warning" }))).toBe("low");
  expect(computePriority(facts({ level: "warning", ...often }))).toBe("medium");
  expect(computePriority(facts({ level: "info", eventCount: 1e6 }))).toBe("low");
});

test("often is an average over the life of the issue, which is at least a day", () => {
  expect(computePriority(facts({ eventCount: 99 }))).toBe("medium");
  expect(computePriority(facts({ eventCount: 199, lastSeenAt: 2 * DAY_MS }))).toBe("medium");
  expect(computePriority(facts({ eventCount: 200, lastSeenAt: 2 * DAY_MS }))).toBe("high");
});

test("the sentence names the facts that decided", () => {
  expect(explainPriority(facts({ eventCount: 2_400, lastSeenAt: 2 * DAY_MS }))).toBe(
    "It is an error and comes often: about 1,200 times a day since it was first seen.",
  );
  expect(explainPriority(facts({ level: "warning" }))).toBe("It is a warning and comes fewer than 100 times a day.");
  expect(explainPriority(facts({ level: "fatal" }))).toBe("It is a fatal error, which is always high.");
  expect(explainPriority(facts({ level: "debug" }))).toBe("It is a debug message, which is always low.");
});
