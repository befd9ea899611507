import { expect, test } from "vitest";
import {
  listNumberAttributes,
  NUMBER_FIGURE_PATTERN,
  readSpanFigure,
  unitOfSpanFigure,
  valueOfFigure,
} from "./span-figure.ts";

const NONE = { weight: 3, failedWeight: 0, totalUs: 0, durations: [] };
const read = (text: string) => readSpanFigure(text) as NonNullable<ReturnType<typeof readSpanFigure>>;

test.each([
  ["p95(measurements.lcp)", "p95(span.duration)", "measurements.lcp"],
  [" avg(order total) ", "avg(span.duration)", "order total"],
  ["p95(span.duration)", "p95(span.duration)", null],
  ["count()", "count()", null],
])("%s", (text, aggregate, attribute) => {
  expect(readSpanFigure(text)).toMatchObject({ aggregate, attribute });
  expect(new RegExp(`^${NUMBER_FIGURE_PATTERN}$`).test(text.trim())).toBe(text.trim() !== "count()");
});

test.each(["", "p95(", "p95", "p42(cost)", "count(cost)", `avg(${"x".repeat(201)})`, "toString(a)"])(
  "“%s” is no figure",
  (text) => expect(readSpanFigure(text)).toBeNull(),
);

test("figures of an attribute are of its numbers, and of nothing where there are none", () => {
  const numbers = {
    weight: 4,
    total: 1_001,
    min: 0.9,
    max: 999,
    values: [
      [1, 3],
      [998, 1],
    ] as const,
  };
  expect(valueOfFigure(read("avg(cost)"), NONE, numbers)).toBe(1_001 / 4);
  expect(valueOfFigure(read("sum(cost)"), NONE, numbers)).toBe(1_001);
  expect(valueOfFigure(read("p50(cost)"), NONE, numbers)).toBe(1);
  expect(valueOfFigure(read("max(cost)"), NONE, numbers)).toBe(999);
  expect(valueOfFigure(read("min(cost)"), NONE, numbers)).toBe(0.9);
  expect(valueOfFigure(read("avg(cost)"), NONE, undefined)).toBeNull();
  expect(valueOfFigure(read("count()"), NONE, undefined)).toBe(3);
});

test("an attribute of several figures is read once, and has no unit", () => {
  const figures = ["avg(cost)", "count()", "p95(cost)", "p95(size)"].map(read);
  expect(listNumberAttributes(figures)).toEqual(["cost", "size"]);
  expect(figures.map(unitOfSpanFigure)).toEqual(["number", "count", "number", "number"]);
});
