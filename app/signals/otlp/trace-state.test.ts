import { expect, test } from "vitest";
import { readKeptShare } from "./trace-state.ts";

test.each([
  ["ot=th:0", 1],
  ["ot=th:8", 0.5],
  ["ot=th:c", 0.25],
  ["vendor=1, ot=rv:a1b2c3d4e5f607;th:e6666666666666", 0.1],
  ["ot=p:3;r:5", 0.125],
])("%s kept %f of the traces", (traceState, share) => {
  expect(readKeptShare(traceState)).toBeCloseTo(share, 6);
});

test.each(["", "vendor=th:8", "ot=", "ot=th:", "ot=th:xyz", "ot=th:123456789abcdef", "ot=p:63", "ot=p:-1"])(
  "%j does not say",
  (traceState) => {
    expect(readKeptShare(traceState)).toBeNull();
  },
);
