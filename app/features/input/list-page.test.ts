import { expect, test } from "vitest";
import { ROWS_PER_PAGE, readPageNumber, takePage } from "./list-page.ts";

test.each([
  ["", 1],
  ["page=3", 3],
  ["page=0", 1],
  ["page=-1", 1],
  ["page=x", 1],
  ["page=1234567", 1],
])("%s is page %i", (search, page) => {
  expect(readPageNumber(new URLSearchParams(search))).toBe(page);
});

test("the last page has what is left, and stands for those after it", () => {
  const rows = Array.from({ length: 2 * ROWS_PER_PAGE + 1 }, (_, index) => index);
  expect(takePage(rows, 2).rows).toEqual(rows.slice(ROWS_PER_PAGE, 2 * ROWS_PER_PAGE));
  const last = { page: 3, pageCount: 3, total: rows.length, rows: [2 * ROWS_PER_PAGE] };
  expect([takePage(rows, 3), takePage(rows, 99)]).toEqual([last, last]);
  expect(takePage([], 2)).toEqual({ page: 1, pageCount: 1, total: 0, rows: [] });
});
