import type { ColumnType } from "../events/table.ts";
import type { DuckdbTable } from "./duckdb-tables.ts";
import { LONG_BYTES } from "./long-texts.ts";

const SQL_TYPES: Readonly<Record<Exclude<ColumnType, "text">, string>> = {
  integer: "BIGINT",
  real: "DOUBLE",
  boolean: "BOOLEAN",
  uuid: "UUID",
  hex64: "UBIGINT",
};

/** Where the values of an insert stand: the columns from $5 on, the late ones last. */
export function insertParameters({ shape, identity }: DuckdbTable) {
  const firstColumn = 5;
  const afterColumns = firstColumn + shape.columns.length + shape.lateColumns.length;
  const hasIdentityPlaces = identity !== undefined && identity.ordinal !== "ordinal";
  return {
    betweenTexts: 1,
    null: 2,
    rowCount: 3,
    firstOrdinal: 4,
    firstColumn,
    /** Ordinal of the first identity, and the place of each row among those that have one. */
    identities: hasIdentityPlaces ? { first: afterColumns, places: afterColumns + 1 } : null,
    /** Indexes of rows that are not to be written, where there are any. */
    leftOut: afterColumns + (hasIdentityPlaces ? 2 : 0),
  };
}

/**
 * Inserts the rows of a batch into a table. Splitting texts is three times as fast in DuckDB as reading the same rows from
 * JSON, and unlike the appender runs off the calling thread (1,000 events: 1 ms of it against 8). Texts are decoded in a query of
 * their own: within the split they would be decoded for every few rows (1,000 events: 45 ms instead of 20).
 */
export function toInsert(table: DuckdbTable, { leavesOut }: { leavesOut: boolean }): string {
  const { shape, identity } = table;
  const parameters = insertParameters(table);
  const columns = [
    ...shape.columns,
    ...shape.lateColumns.map((name): { name: string; type: ColumnType } => ({ name, type: "integer" })),
  ];
  const names = columns.map(({ name }) => name).filter((name) => name !== shape.longTexts);
  const cells = columns.map(({ name, type }, index) => {
    if (type === "text")
      return `nullif(unnest(string_split(column_${index}, $${parameters.betweenTexts})), $${parameters.null}) AS ${name}`;
    const cell = `nullif(unnest(string_split(column_${index}, ',')), '')`;
    // DuckDB reads text that begins with 0x as a number in hex.
    return `${type === "hex64" ? `('0x' || ${cell})` : cell}::${SQL_TYPES[type]} AS ${name}`;
  });
  const texts = columns.map((_, index) => `decode($${parameters.firstColumn + index}::BLOB) AS column_${index}`);
  const filled = { ...table.derived };
  // They have a table of their own.
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
      SELECT unnest(range($${parameters.rowCount}::INTEGER)) AS row_index, ${cells.join(", ")}
      FROM (SELECT ${texts.join(", ")})
    ) ${written}`;
}
