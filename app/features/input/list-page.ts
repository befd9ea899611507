/** Rows on a page, for lists that are read as a whole. */
export const ROWS_PER_PAGE = 50;

export interface ListPage {
  /** The number of the page, from 1. */
  page: number;
  pageCount: number;
  /** The number of rows on all pages. */
  total: number;
}

/** The page number in `?page=3`. Anything else means the first page. */
export function readPageNumber(params: URLSearchParams): number {
  const text = params.get("page") ?? "";
  return /^\d{1,6}$/.test(text) ? Math.max(1, Number(text)) : 1;
}

/** The rows of a page. After the last page, the rows of the last. */
export function takePage<Row>(rows: readonly Row[], page: number): ListPage & { rows: Row[] } {
  const pageCount = Math.max(1, Math.ceil(rows.length / ROWS_PER_PAGE));
  const taken = Math.min(page, pageCount);
  return {
    page: taken,
    pageCount,
    total: rows.length,
    rows: rows.slice((taken - 1) * ROWS_PER_PAGE, taken * ROWS_PER_PAGE),
  };
}
