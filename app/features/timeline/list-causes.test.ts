import { expect, test } from "vitest";
import { listCauses } from "./list-causes.ts";
import type { TimelineItem, TimelineLane } from "./timeline.ts";

function failure(key: string, atUs: number, more: Partial<TimelineItem> = {}): TimelineItem {
  return {
    key,
    label: `${key}: no`,
    note: "",
    fromUs: atUs,
    toUs: null,
    row: 0,
    isFailed: true,
    ...more,
  } as TimelineItem;
}

function lanesOf(errors: TimelineItem[]): TimelineLane[] {
  return [
    {
      kind: "errors",
      items: [...errors, failure("Own", 0, { isThis: true })],
    } as Partial<TimelineLane> as TimelineLane,
  ];
}

test("a failure through four services is told from its first error on", () => {
  const errors = ["A", "B", "C", "D", "E", "F", "G"].map((key, index) => failure(key, -1_000 + index));
  const { causes, earlierCount } = listCauses(lanesOf(errors));
  expect(causes.map(({ name }) => name)).toEqual(["A", "B", "C", "D", "E", "F", "G", "Own"]);
  expect(earlierCount).toBe(0);
});

test("of more failures the last are named, and the others counted", () => {
  const errors = Array.from({ length: 20 }, (_, index) => failure(`E${index}`, -1_000 + index));
  const { causes, earlierCount } = listCauses(lanesOf(errors));
  expect(causes.map(({ name }) => name)).toEqual(["E12", "E13", "E14", "E15", "E16", "E17", "E18", "E19", "Own"]);
  expect(earlierCount).toBe(12);
});
