import type { TableOf } from "../events/rows.ts";
import type { Cell, ColumnType, Table } from "../events/table.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { LONG_BYTES } from "./long-texts.ts";

/** SQL of the columns of a table. Each arrives as a text, a number or a boolean. Of long texts, only their number of bytes is read. */
export function toSelection({ columns, longTexts }: Table): string {
  const own = columns.filter(({ name }) => name !== longTexts);
  const selected = own.map(({ name, type }) => `${toExpression(name, type)} AS ${name}`);
  if (longTexts !== undefined) selected.push(`${LONG_BYTES}::DOUBLE AS ${LONG_BYTES}`);
  return selected.join(", ");
}

/** The cells of a row as they were before they were written, in the order of the table's columns. */
export function readCells<Row>({ columns }: TableOf<Row>, row: SqlRow): Map<string, Cell> {
  return new Map(
    columns.map(({ name, type }): [string, Cell] => {
      const value = row[name] ?? null;
      return [name, type === "uuid" && value !== null ? String(value).replaceAll("-", "") : value];
    }),
  );
}

function toExpression(name: string, type: ColumnType): string {
  if (type === "integer") return `${name}::DOUBLE`;
  if (type === "uuid") return `${name}::VARCHAR`;
  return type === "hex64" ? `format('{:016x}', ${name})` : name;
}
