import type { DurationHeatmap } from "../../domain/spans/duration-heatmap.ts";
import type { Selection } from "./selection.ts";

/** A rectangle of cells, including both ends. Columns are times. Rows are durations, the shortest first. */
export interface CellRange {
  column: number;
  lastColumn: number;
  row: number;
  lastRow: number;
}

/** The time of the columns: start, end and the length of each, in milliseconds. */
export interface ColumnTimes {
  from: number;
  to: number;
  bucketMs: number;
}

export function toSelection({ column, lastColumn, row, lastRow }: CellRange, map: DurationHeatmap, times: ColumnTimes) {
  const selection: Selection = {
    from: times.from + column * times.bucketMs,
    to: times.from + (lastColumn + 1) * times.bucketMs,
    minUs: map.rows[row]?.fromUs ?? 0,
    maxUs: map.rows[lastRow]?.toUs ?? 0,
  };
  return selection;
}

/** The cells that a selection touches. Null: none. */
export function toCells(selection: Selection, map: DurationHeatmap, times: ColumnTimes): CellRange | null {
  const columns = Math.round((times.to - times.from) / times.bucketMs);
  const column = Math.max(0, Math.floor((selection.from - times.from) / times.bucketMs));
  const lastColumn = Math.min(columns, Math.ceil((selection.to - times.from) / times.bucketMs)) - 1;
  const row = map.rows.findIndex(({ toUs }) => toUs > selection.minUs);
  const lastRow = map.rows.findLastIndex(({ fromUs }) => fromUs < selection.maxUs);
  return row < 0 || lastRow < row || lastColumn < column ? null : { column, lastColumn, row, lastRow };
}

/** The rectangle between two corners, in any order. */
export function spanCells(one: [column: number, row: number], other: [column: number, row: number]): CellRange {
  return {
    column: Math.min(one[0], other[0]),
    lastColumn: Math.max(one[0], other[0]),
    row: Math.min(one[1], other[1]),
    lastRow: Math.max(one[1], other[1]),
  };
}

export function sumCells({ weights }: DurationHeatmap, { column, lastColumn, row, lastRow }: CellRange): number {
  let sum = 0;
  for (const each of weights.slice(row, lastRow + 1))
    for (const weight of each.slice(column, lastColumn + 1)) sum += weight;
  return sum;
}

/** The height of a duration, from the bottom (0) to the top (1) of all rows. Null: it is outside. */
export function toHeight(us: number, { rows }: DurationHeatmap): number | null {
  const row = rows.findIndex(({ fromUs, toUs }) => us >= fromUs && us < toUs);
  const bounds = rows[row];
  if (bounds === undefined) return null;
  const from = Math.max(1, bounds.fromUs);
  const within = bounds.toUs <= from ? 0 : Math.log(Math.max(us, from) / from) / Math.log(bounds.toUs / from);
  return (row + within) / rows.length;
}
