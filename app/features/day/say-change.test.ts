import { expect, test } from "vitest";
import { sayChange } from "./say-change.ts";

const issue = (change: object = {}) => ({
  ...{ status: "unresolved" as const, substatus: "ongoing" as const },
  ...{ statusChangedAt: 10, firstSeenAt: 10, lastSeenAt: 20, ...change },
});

test("says what happened after somebody looked, and nothing when nothing did", () => {
  expect(sayChange(issue(), 20, null)).toBeNull();
  expect(sayChange(issue(), 19, null)).toBe("Happened again since you looked");
  expect(sayChange(issue({ status: "resolved", statusChangedAt: 30 }), 25, null)).toBe("Resolved since you looked");
  expect(sayChange(issue({ substatus: "regressed", statusChangedAt: 30, lastSeenAt: 30 }), 25, null)).toBe(
    "Came back since you looked",
  );
  expect(sayChange(issue(), 20, { at: 21, by: "Grace" })).toBe("Grace commented");
  expect(sayChange(issue(), 20, { at: 19, by: "Grace" })).toBeNull();
  expect(sayChange(issue(), 15, { at: 21, by: "Grace" })).toBe("Happened again since you looked, Grace commented");
});
