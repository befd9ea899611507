import { expect, test } from "vitest";
import { readHealthGoal } from "./read-health-goal.ts";

const read = (target: string, floor: string) => {
  const form = new FormData();
  form.set("target", target);
  form.set("floor", floor);
  return readHealthGoal(form);
};

test("a goal is two shares, the floor not above the target", () => {
  expect(read("99.9", "98,5 %")).toEqual({ ok: true, goal: { target: 0.999, floor: 0.985 } });
  expect(read("99", "99.5")).toMatchObject({ ok: false, field: "floor", message: "Must not be above the target." });
  expect(read("x", "98")).toMatchObject({ ok: false, field: "target" });
  expect(read("99", "10")).toMatchObject({ ok: false, field: "floor" });
});
