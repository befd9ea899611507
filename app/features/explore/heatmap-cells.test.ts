import { expect, test } from "vitest";
import { spanCells, sumCells, toCells, toHeight, toSelection } from "./heatmap-cells.ts";
import { printSelection, readSelection, toSelectionSearch } from "./selection.ts";

const MAP = {
  rows: [
    { fromUs: 0, toUs: 10 },
    { fromUs: 10, toUs: 100 },
    { fromUs: 100, toUs: 1_000 },
  ],
  weights: [
    [1, 0, 2, 0],
    [0, 4, 0, 8],
    [16, 0, 0, 32],
  ],
  most: 32,
};
const TIMES = { from: 1_000, to: 5_000, bucketMs: 1_000 };

test("cells and what they stand for are the same, there and back", () => {
  const cells = spanCells([3, 1], [1, 2]);
  expect(cells).toEqual({ column: 1, lastColumn: 3, row: 1, lastRow: 2 });
  const selection = toSelection(cells, MAP, TIMES);
  expect(selection).toEqual({ from: 2_000, to: 5_000, minUs: 10, maxUs: 1_000 });
  expect(toCells(selection, MAP, TIMES)).toEqual(cells);
  expect(readSelection(printSelection(selection))).toEqual(selection);
  expect(sumCells(MAP, cells)).toBe(44);
});

test("a selection that reaches beyond the map is cut, and one outside of it is dropped", () => {
  const far = { from: 0, to: 9_000_000, minUs: 0, maxUs: 9_000_000 };
  expect(toCells(far, MAP, TIMES)).toEqual({ column: 0, lastColumn: 3, row: 0, lastRow: 2 });
  expect(toCells({ ...far, from: 6_000 }, MAP, TIMES)).toBeNull();
  expect(toCells({ ...far, minUs: 5_000 }, MAP, TIMES)).toBeNull();
  expect(toCells(far, { rows: [], weights: [], most: 0 }, TIMES)).toBeNull();
  expect(["", "1-2-3", "5-4-1-2", "1-2-3-3", "x"].map(readSelection)).toEqual([null, null, null, null, null]);
});

test("heights are logarithmic", () => {
  expect([0, 10, 100, 999].map((us) => Number(toHeight(us, MAP)?.toFixed(2)))).toEqual([0, 0.33, 0.67, 1]);
  expect(toHeight(1_000, MAP)).toBeNull();
});

test("as a search, a selection has the same bounds", () => {
  const selection = { from: 1_700_000_000_000, to: 1_700_000_060_000, minUs: 1_234, maxUs: 2_000_000 };
  expect(toSelectionSearch("span.op:db", selection)).toBe(
    "span.op:db span.duration:>=1.234ms span.duration:<2000ms timestamp:>=2023-11-14T22:13:20Z timestamp:<2023-11-14T22:14:20Z",
  );
});
