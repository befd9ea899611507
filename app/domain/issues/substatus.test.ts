import { describe, expect, test } from "vitest";
import { DAY_MS } from "../time.ts";
import { toSubstatus } from "./substatus.ts";

const NOW = Date.UTC(2026, 6, 1);
const DAYS_AGO = (days: number) => NOW - days * DAY_MS;

describe("the substatus that people see", () => {
  test("new ends seven days after the first event, whenever the status changed", () => {
    const at = (firstSeenAt: number) =>
      toSubstatus({ substatus: "new", firstSeenAt, statusChangedAt: DAYS_AGO(1) }, NOW);
    expect(at(DAYS_AGO(7) + 1)).toBe("new");
    expect(at(DAYS_AGO(7))).toBe("ongoing");
  });

  test("escalating ends seven days after the issue came back, whenever it was first seen", () => {
    const at = (statusChangedAt: number) =>
      toSubstatus({ substatus: "escalating", firstSeenAt: DAYS_AGO(400), statusChangedAt }, NOW);
    expect(at(DAYS_AGO(7) + 1)).toBe("escalating");
    expect(at(DAYS_AGO(7))).toBe("ongoing");
  });

  test("regressed and ongoing stay", () => {
    const old = { firstSeenAt: DAYS_AGO(400), statusChangedAt: DAYS_AGO(300) };
    expect(toSubstatus({ substatus: "regressed", ...old }, NOW)).toBe("regressed");
    expect(toSubstatus({ substatus: "ongoing", ...old }, NOW)).toBe("ongoing");
  });
});
