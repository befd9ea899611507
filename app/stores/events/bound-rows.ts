import { boundCells, MAX_TEXT_BYTES } from "./bounded-row.ts";
import { bytesOf, readTexts, type TableRows, toColumn } from "./rows.ts";
import type { Cell, Table } from "./table.ts";

/** Rows of an entry of the row log that is from before rows had a bound, as they would be written now. The rows that were given, if they are short. */
export function boundRows(table: Table, rows: TableRows): TableRows {
  const isBounded = table.longTexts !== undefined && rows.columns[table.longTexts] !== undefined;
  if (isBounded || rows.count === 0 || bytesOf(rows) <= MAX_TEXT_BYTES) return rows;
  const texts = table.columns.map(({ name, type }) =>
    type === "text" && rows.columns[name] !== undefined ? readTexts(rows, name) : null,
  );
  let isChanged = false;
  const bounded = Array.from({ length: rows.count }, (_, row) => {
    const cells = texts.map((column) => column?.[row] ?? null);
    const kept = boundCells(table, cells);
    isChanged ||= kept !== cells;
    return kept as Cell[];
  });
  if (!isChanged) return rows;
  const columns = { ...rows.columns };
  for (const [at, { name, type }] of table.columns.entries()) {
    if (type !== "text" || (texts[at] === null && name !== table.longTexts)) continue;
    columns[name] = toColumn(
      bounded.map((cells) => cells[at] as string | null),
      rows.marks,
    );
  }
  return { ...rows, columns };
}
