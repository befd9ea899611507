import { expect, test } from "vitest";
import { chooseStep } from "./time-axis.tsx";

test.for([
  [1, 1],
  [6, 1],
  [7, 2],
  [100, 20],
  [5_620_000, 1_000_000],
  [1e12, 2e11],
])("%s microseconds have a tick each %s", ([total, step]) => {
  expect(chooseStep(total as number)).toBe(step);
});
