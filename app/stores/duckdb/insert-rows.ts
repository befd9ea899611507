import type { DuckDBConnection } from "@duckdb/node-api";
import type { TableRows } from "../events/rows.ts";
import type { ColumnType, Table } from "../events/table.ts";
import type { DuckdbTable } from "./duckdb-tables.ts";
import { hasLongTexts, insertLongTexts, LONG_BYTES } from "./long-texts.ts";
import type { PreparedStatements } from "./prepared-statements.ts";

const SQL_TYPES: Readonly<Record<Exclude<ColumnType, "text">, string>> = {
  integer: "BIGINT",
  real: "DOUBLE",
  boolean: "BOOLEAN",
  uuid: "UUID",
  hex64: "UBIGINT",
};

/** With fewer rows, a statement of their own without the empty columns is not worth preparing. */
const MANY_ROWS = 500;

/** The ordinals of the next row of a table. */
export interface Head {
  nextOrdinal: number;
  /** The number of the next row with an identity: these are numbered separately. */
  nextIdentityOrdinal: number;
}

interface Insertion {
  table: DuckdbTable;
  head: Head;
  rows: TableRows;
  /** Indexes of rows that are not to be written. */
  leftOut: readonly number[];
  /** The place of each row among the rows with an identity, separated by commas. Empty: they have no numbers of their own. */
  places: string;
}

/** Inserts the rows of a batch into a table, in the caller's transaction. */
export async function insertRows(
  connection: DuckDBConnection,
  statements: PreparedStatements,
  { table, head: { nextOrdinal, nextIdentityOrdinal }, rows, leftOut, places }: Insertion,
): Promise<void> {
  const { shape } = table;
  const leavesOut = leftOut.length > 0;
  const empty = findEmptyColumns(shape, rows);
  const at = insertParameters(table, empty);
  const statement = await statements.prepare(connection, toInsert(table, { leavesOut, empty }));
  statement.bindVarchar(at.betweenTexts, rows.marks.between);
  statement.bindVarchar(at.null, rows.marks.null);
  statement.bindBigInt(at.rowCount, BigInt(rows.count));
  statement.bindBigInt(at.firstOrdinal, BigInt(nextOrdinal));
  for (const [name, parameter] of at.columns) {
    const column = rows.columns[name] ?? (shape.addedTexts?.includes(name) ? toNullTexts(rows) : undefined);
    if (column === undefined) throw new RangeError(`rows of ${shape.name} have no column ${name}`);
    statement.bindBlob(parameter, column);
  }
  if (at.identities) {
    statement.bindBigInt(at.identities.first, BigInt(nextIdentityOrdinal));
    statement.bindVarchar(at.identities.places, places);
  }
  if (leavesOut) statement.bindVarchar(at.leftOut, leftOut.join(","));
  await statement.run();
  if (hasLongTexts(shape, rows)) await insertLongTexts(connection, shape, { rows, leftOut, nextOrdinal });
}

/** The columns of a large batch that are empty in all rows: nearly half of those of spans. The insert need not split them. */
function findEmptyColumns({ columns }: Table, rows: TableRows): ReadonlySet<string> {
  const empty = new Set<string>();
  if (rows.count < MANY_ROWS) return empty;
  const texts = toNullTexts(rows);
  const others = Buffer.alloc(rows.count - 1, ",");
  for (const { name, type } of columns) {
    const column = rows.columns[name];
    if (column !== undefined && (type === "text" ? texts : others).equals(column)) empty.add(name);
  }
  return empty;
}

/** A column of texts that are all null. */
function toNullTexts({ count, marks }: TableRows): Buffer {
  return Buffer.from(Array(count).fill(marks.null).join(marks.between));
}

/** The parameter numbers of an insert: the columns begin at $5, the late columns come last. Columns in `empty` have no parameter. */
function insertParameters({ shape, identity }: DuckdbTable, empty: ReadonlySet<string>) {
  const firstColumn = 5;
  const columns = [...shape.columns.map(({ name }) => name), ...shape.lateColumns].filter((name) => !empty.has(name));
  const afterColumns = firstColumn + columns.length;
  const hasIdentityPlaces = identity !== undefined && identity.ordinal !== "ordinal";
  return {
    betweenTexts: 1,
    null: 2,
    rowCount: 3,
    firstOrdinal: 4,
    /** Parameter of each column with values. */
    columns: new Map(columns.map((name, index) => [name, firstColumn + index])),
    /** Parameters of the number of the first row with an identity, and of `places`. */
    identities: hasIdentityPlaces ? { first: afterColumns, places: afterColumns + 1 } : null,
    /** Parameter of the indexes of rows that are not written, if there are any. */
    leftOut: afterColumns + (hasIdentityPlaces ? 2 : 0),
  };
}

/**
 * SQL of an insert that splits texts. That is three times as fast as reading the same rows from JSON, and unlike the appender it runs off
 * the calling thread (1,000 events: 1 ms of it instead of 8). Texts are decoded in a query of their own: within the split they would be
 * decoded for every few rows (1,000 events: 45 ms instead of 20).
 */
function toInsert(
  table: DuckdbTable,
  { leavesOut, empty }: { leavesOut: boolean; empty: ReadonlySet<string> },
): string {
  const { shape, identity } = table;
  const parameters = insertParameters(table, empty);
  const columns = [
    ...shape.columns,
    ...shape.lateColumns.map((name): { name: string; type: ColumnType } => ({ name, type: "integer" })),
  ];
  const names = columns.map(({ name }) => name).filter((name) => name !== shape.longTexts);
  const cells = columns.map(({ name, type }, index) => {
    if (empty.has(name)) return `NULL::${type === "text" ? "VARCHAR" : SQL_TYPES[type]} AS ${name}`;
    if (type === "text") return `nullif(unnest(string_split(column_${index}, between_texts)), null_text) AS ${name}`;
    const cell = `nullif(unnest(string_split(column_${index}, ',')), '')`;
    // DuckDB casts text that begins with 0x as a number in hex.
    return `${type === "hex64" ? `('0x' || ${cell})` : cell}::${SQL_TYPES[type]} AS ${name}`;
  });
  // Each parameter is used in one place. With a parameter in several places, DuckDB plans the statement each time it runs.
  const texts = [
    `$${parameters.betweenTexts}::VARCHAR AS between_texts`,
    `$${parameters.null}::VARCHAR AS null_text`,
    ...columns.flatMap(({ name }, index) => {
      const parameter = parameters.columns.get(name);
      return parameter === undefined ? [] : `decode($${parameter}::BLOB) AS column_${index}`;
    }),
  ];
  const filled = { ...table.derived };
  // Long texts have a table of their own.
  if (shape.longTexts !== undefined) filled[LONG_BYTES] = `strlen(${shape.longTexts})`;
  if (parameters.identities && identity) {
    filled[identity.ordinal] = `$${parameters.identities.first}::BIGINT + identity_place`;
    cells.push("nullif(unnest(string_split(identity_places, ',')), '')::BIGINT AS identity_place");
    texts.push(`$${parameters.identities.places}::VARCHAR AS identity_places`);
  }
  const written = leavesOut
    ? `WHERE row_index NOT IN (SELECT unnest(string_split($${parameters.leftOut}, ','))::BIGINT)`
    : "";
  return `
    INSERT INTO ${shape.name} (${["ordinal", ...names, ...Object.keys(filled)].join(", ")})
    SELECT ${[`$${parameters.firstOrdinal}::BIGINT + row_index`, ...names, ...Object.values(filled)].join(", ")}
    FROM (
      SELECT unnest(range($${parameters.rowCount}::BIGINT)) AS row_index, ${cells.join(", ")}
      FROM (SELECT ${texts.join(", ")})
    ) ${written}`;
}
