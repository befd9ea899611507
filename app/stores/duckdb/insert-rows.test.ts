import type { DuckDBConnection } from "@duckdb/node-api";
import { expect, test } from "vitest";
import type { TableRows } from "../events/rows.ts";
import { DUCKDB_TABLES, type DuckdbTable } from "./duckdb-tables.ts";
import { insertRows } from "./insert-rows.ts";
import type { PreparedStatements } from "./prepared-statements.ts";

/** What is prepared to insert a row without values. */
async function readStatement(table: DuckdbTable, leftOut: readonly number[]): Promise<string> {
  const { shape } = table;
  const names = [...shape.columns.map(({ name }) => name), ...shape.lateColumns];
  const rows: TableRows = {
    table: shape.name,
    count: 1,
    items: Int32Array.of(0),
    columns: Object.fromEntries(names.map((name) => [name, Uint8Array.of(0x1c)])),
    lateColumns: shape.lateColumns,
    marks: { between: "\x1f", null: "\x1c" },
  };
  let statement = "";
  const prepared = { bindVarchar() {}, bindInteger() {}, bindBigInt() {}, bindBlob() {}, async run() {} };
  const statements = {
    async prepare(_: unknown, sql: string) {
      statement = sql;
      return prepared;
    },
  } as unknown as PreparedStatements;
  const head = { nextOrdinal: 0, nextIdentityOrdinal: 0 };
  await insertRows({} as DuckDBConnection, statements, { table, head, rows, leftOut, places: "" });
  return statement;
}

const CASES = DUCKDB_TABLES.flatMap((table) =>
  [[], [0]].map((leftOut) => ({ name: table.shape.name, table, leftOut })),
);

// If a parameter stands in several places, DuckDB 1.5 plans the statement each time it runs. For ten events that was 3 of 9 ms.
test.each(CASES)("each parameter stands in one place: $name, $leftOut.length left out", async ({ table, leftOut }) => {
  const places = (await readStatement(table, leftOut)).match(/\$\d+/g) ?? [];
  expect(places.length).toBeGreaterThan(5);
  expect(new Set(places).size).toBe(places.length);
});
