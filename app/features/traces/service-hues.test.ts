import { expect, test } from "vitest";
import { assignHues } from "./service-hues.ts";

test("services of a page have hues of their own, as long as there are enough", () => {
  const names = Array.from({ length: 8 }, (_, at) => `service-${at}`);
  expect(new Set(assignHues(names)).size).toBe(8);
  expect(assignHues([...names, "one more"])).toHaveLength(9);
});

test("a service has the same hue on each page where no other takes it", () => {
  expect(assignHues(["payments"])[0]).toBe(assignHues(["payments", "web"])[0]);
});
