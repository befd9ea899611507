import { expect, test } from "vitest";
import { sayChange } from "./say-change.ts";

const issue = (change: object = {}) => ({
  ...{ status: "unresolved" as const, substatus: "ongoing" as const },
  ...{ statusChangedAt: 10, firstSeenAt: 10, lastSeenAt: 20, ...change },
});

test("says what happened after somebody looked, and nothing when nothing did", () => {
  expect(sayChange(issue(), 20, [])).toBeNull();
  expect(sayChange(issue(), 19, [])).toBe("Happened again since you looked");
  expect(sayChange(issue({ status: "resolved", statusChangedAt: 30 }), 25, [])).toBe("Resolved since you looked");
  expect(sayChange(issue({ substatus: "regressed", statusChangedAt: 30, lastSeenAt: 30 }), 25, [])).toBe(
    "Came back since you looked",
  );
  expect(sayChange(issue({ substatus: "escalating", statusChangedAt: 30, lastSeenAt: 30 }), 25, [])).toBe(
    "Escalated since you looked",
  );
  expect(sayChange(issue(), 20, ["Grace commented"])).toBe("Grace commented");
  const resolved = issue({ status: "resolved", statusChangedAt: 30 });
  expect(sayChange(resolved, 25, ["Grace resolved it", "Ada commented"])).toBe("Grace resolved it and 1 more change");
  expect(sayChange(issue(), 15, ["Grace commented"])).toBe("Happened again since you looked, Grace commented");
  expect(sayChange(issue(), null, [])).toBeNull();
  expect(sayChange(issue(), null, ["Grace assigned it to Ada"])).toBe("Not looked at yet: Grace assigned it to Ada");
});
