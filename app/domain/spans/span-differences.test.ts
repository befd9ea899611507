import { expect, test } from "vitest";
import { findDifferences } from "./span-differences.ts";

const value = (key: string, text: string, selected: number, rest: number, spans = 1) => ({
  key,
  value: text,
  selected: { spans, weight: selected },
  rest: { spans, weight: rest },
});
const TOTALS = { selectedWeight: 50, restWeight: 200 };

test("a key has the value that differs most, and that the selection has more of", () => {
  const { differences, otherKeys } = findDifferences(
    [
      value("release", "shop@1", 1, 158),
      value("release", "shop@2", 49, 42),
      value("tier", "free", 0, 100),
      value("tier", "gold", 10, 0),
      value("host", "a", 25, 96),
    ],
    TOTALS,
  );
  expect(differences.map(({ key, value: text, points }) => [key, text, Math.round(points)])).toEqual([
    ["release", "shop@2", 77],
    ["tier", "free", -50],
  ]);
  expect(differences[0]).toMatchObject({ selectedShare: 0.98, restShare: 0.21 });
  expect(otherKeys).toBe(1);
});

test("without a rest every share of it is zero", () => {
  const { differences } = findDifferences([value("op", "db", 50, 0)], { selectedWeight: 50, restWeight: 0 });
  expect(differences).toMatchObject([{ selectedShare: 1, restShare: 0, points: 100 }]);
});
