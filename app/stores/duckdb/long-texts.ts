import type { DuckDBConnection } from "@duckdb/node-api";
import { BETWEEN_PARTS, readLongTexts } from "../events/bounded-row.ts";
import type { TableRows } from "../events/rows.ts";
import type { Cell, Table } from "../events/table.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow, SqlValue } from "./duckdb-reader.ts";

// Texts that are too long for their row, in parts (see bounded-row.ts).

/** The table of long texts. They are compressed like those of rows. */
export const LONG_TEXTS = { name: "long_texts", packed: ["text"] };

/** The column of a row with the number of bytes of its long texts. */
export const LONG_BYTES = "long_bytes";

/** Whether any of the rows has long texts. */
export function hasLongTexts({ longTexts }: Table, rows: TableRows): boolean {
  const column = longTexts === undefined ? undefined : rows.columns[longTexts];
  if (column === undefined) return false;
  const nulls =
    rows.count * Buffer.byteLength(rows.marks.null) + (rows.count - 1) * Buffer.byteLength(rows.marks.between);
  return column.length > nulls;
}

/** Inserts long texts, in the transaction that inserts their rows. */
export async function insertLongTexts(
  connection: DuckDBConnection,
  { name, longTexts }: Table,
  { rows, leftOut, nextOrdinal }: { rows: TableRows; leftOut: readonly number[]; nextOrdinal: number },
): Promise<void> {
  const written = leftOut.length > 0 ? `AND row_index NOT IN (${leftOut.join(", ")})` : "";
  const statement = await connection.prepare(`
    INSERT INTO ${LONG_TEXTS.name} (table_name, ordinal, project_id, part, text)
    SELECT '${name}', $4::BIGINT + row_index, project_id, unnest(range(len(parts)))::INTEGER, unnest(parts)
    FROM (
      SELECT row_index, project_id, string_split(texts, '${BETWEEN_PARTS}') AS parts
      FROM (
        SELECT unnest(range($3::INTEGER)) AS row_index, unnest(string_split(projects, ','))::BIGINT AS project_id,
               nullif(unnest(string_split(texts, $1)), $2) AS texts
        FROM (SELECT decode($5::BLOB) AS projects, decode($6::BLOB) AS texts)
      ) WHERE texts IS NOT NULL ${written}
    )`);
  try {
    statement.bindVarchar(1, rows.marks.between);
    statement.bindVarchar(2, rows.marks.null);
    statement.bindInteger(3, rows.count);
    statement.bindBigInt(4, BigInt(nextOrdinal));
    statement.bindBlob(5, rows.columns.project_id as Uint8Array);
    statement.bindBlob(6, rows.columns[longTexts as string] as Uint8Array);
    await statement.run();
  } finally {
    statement.destroySync();
  }
}

/** Deletes the long texts of rows. Call it in the transaction that deletes the rows, before it does. `where`: a condition on the rows. */
export async function deleteLongTexts(
  connection: DuckDBConnection,
  { name, longTexts }: Table,
  where: string,
  values: SqlValue[] = [],
): Promise<void> {
  if (longTexts === undefined) return;
  await connection.run(
    `DELETE FROM ${LONG_TEXTS.name} WHERE table_name = '${name}' AND ordinal IN (
       SELECT ordinal FROM ${name} WHERE ${LONG_BYTES} IS NOT NULL AND (${where})
     )`,
    values,
  );
}

/** The cells of a row with its whole texts. `row` needs `ordinal` and `LONG_BYTES`. */
export async function readWhole(
  database: DuckdbDatabase,
  { name }: Table,
  row: SqlRow,
  cells: ReadonlyMap<string, Cell>,
): Promise<ReadonlyMap<string, Cell>> {
  if (row[LONG_BYTES] === null) return cells;
  const parts = await database.read(
    `SELECT text FROM ${LONG_TEXTS.name} WHERE table_name = $1 AND ordinal = $2 ORDER BY part`,
    [name, Number(row.ordinal)],
  );
  // The row and its texts may have been deleted meanwhile.
  if (parts.length === 0) return cells;
  return new Map([...cells, ...readLongTexts(parts.map(({ text }) => String(text)).join(""))]);
}
