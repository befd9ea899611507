import { fillColumn, type RowsByTable, type TableOf, toNewRow, toRowsByTable } from "../events/rows.ts";
import type { PayloadRange } from "../payload-store.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlValue } from "./duckdb-reader.ts";
import { DUCKDB_TABLES, type DuckdbTable } from "./duckdb-tables.ts";

/** See `EventRebuild.rowsOf`. Rows are in the order of their arrival. */
export async function readPayloadRows(
  database: DuckdbDatabase,
  range: Omit<PayloadRange, "payloads">,
): Promise<RowsByTable> {
  const found: RowsByTable[] = [];
  for (const table of DUCKDB_TABLES) {
    if (table.shape.lateColumns.includes("payload_file")) found.push(await readTable(database, table, range));
  }
  return found.flat();
}

async function readTable(
  database: DuckdbDatabase,
  { shape }: DuckdbTable,
  { fileId, from, to }: Omit<PayloadRange, "payloads">,
): Promise<RowsByTable> {
  const cells = [
    ...shape.columns.map(({ name, type }) => {
      if (type === "integer") return `${name}::DOUBLE`;
      return type === "uuid" ? `replace(${name}::VARCHAR, '-', '')` : name;
    }),
    ...shape.lateColumns.map((name) => `${name}::DOUBLE`),
  ];
  const columns = await database.readColumns(
    `SELECT ${cells.join(", ")} FROM ${shape.name}
     WHERE payload_file = $1 AND payload_offset >= $2 AND payload_offset < $3 ORDER BY ordinal`,
    [fileId, from, to],
  );
  const table: TableOf<number> = {
    ...shape,
    columns: shape.columns.map((column, at) => ({ ...column, get: (row) => columns[at]?.[row] as SqlValue })),
  };
  const count = columns[0]?.length ?? 0;
  const rows = toRowsByTable(Array.from({ length: count }, (_, row) => ({ rows: [toNewRow(table, row)] })));
  for (const [at, name] of shape.lateColumns.entries()) {
    const values = columns[shape.columns.length + at];
    for (const each of rows) fillColumn(each, name, (row) => Number(values?.[row]));
  }
  return rows;
}
