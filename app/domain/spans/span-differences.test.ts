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
    {
      values: [
        value("release", "shop@1", 1, 158),
        value("release", "shop@2", 49, 42),
        value("tier", "free", 0, 100),
        value("tier", "gold", 10, 0),
        value("host", "a", 25, 96),
      ],
      numbers: [],
    },
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
  const { differences } = findDifferences(
    { values: [value("op", "db", 50, 0)], numbers: [] },
    { selectedWeight: 50, restWeight: 0 },
  );
  expect(differences).toMatchObject([{ selectedShare: 1, restShare: 0, points: 100 }]);
});

test("a key with many numbers has the range that differs most, however few spans are selected", () => {
  const numbers = Array.from({ length: 60 }, (_, index) => ({
    key: "cart.items",
    number: index,
    selected: { spans: 1, weight: index >= 40 ? 2 : 0 },
    rest: { spans: 2, weight: index < 40 ? 5 : 0 },
  }));
  const { differences } = findDifferences({ values: [], numbers }, { selectedWeight: 50, restWeight: 200 });
  expect(differences).toEqual([
    {
      ...{ key: "cart.items", value: { from: 40, to: 50 } },
      ...{ selectedShare: 0.4, restShare: 0, points: 40, selectedSpans: 10, restSpans: 20 },
    },
  ]);
});
