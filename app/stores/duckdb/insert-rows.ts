import type { ColumnType } from "../events/rows.ts";
import type { DuckdbTable } from "./duckdb-tables.ts";

const SQL_TYPES: Readonly<Record<Exclude<ColumnType, "text">, string>> = {
  integer: "BIGINT",
  boolean: "BOOLEAN",
  uuid: "UUID",
};

/**
 * Inserts the rows of a batch into a table. Takes $1 the mark between texts, $2 that of null, $3 the number of rows, $4 the
 * ordinal of the first, $5 that of the first identity, $6 the place of each row among those that have an identity, and from $7
 * on the columns, the late ones last. Splitting texts is three times as fast in DuckDB as reading the same rows from JSON, and
 * unlike the appender runs off the calling thread (1,000 events: 1 ms of it against 8).
 */
export function toInsert({ shape, derived, identity }: DuckdbTable): string {
  const columns = [
    ...shape.columns,
    ...shape.lateColumns.map((name): { name: string; type: ColumnType } => ({ name, type: "integer" })),
  ];
  const names = columns.map(({ name }) => name);
  const cells = columns.map(({ name, type }, index) => {
    const column = `decode($${index + 7}::BLOB)`;
    if (type === "text") return `nullif(unnest(string_split(${column}, $1)), $2) AS ${name}`;
    return `nullif(unnest(string_split(${column}, ',')), '')::${SQL_TYPES[type]} AS ${name}`;
  });
  const filled = { ...derived };
  const ownOrdinal = identity !== undefined && identity.ordinal !== "ordinal";
  if (ownOrdinal) filled[identity.ordinal] = "$5::BIGINT + identity_place";
  const places = ownOrdinal ? "nullif(unnest(string_split($6, ',')), '')::BIGINT" : "$5::BIGINT + length($6)";
  return `
    INSERT INTO ${shape.name} (${["ordinal", ...names, ...Object.keys(filled)].join(", ")})
    SELECT ${["$4::BIGINT + row_index", ...names, ...Object.values(filled)].join(", ")}
    FROM (
      SELECT unnest(range($3::INTEGER)) AS row_index, ${places} AS identity_place, ${cells.join(", ")}
    )`;
}
