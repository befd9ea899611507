import type { PartTable } from "../events/row-keys.ts";
import { type DayFile, quoteSql } from "./day-file.ts";

const PAIR_COLUMN = "ids";
/** Version of files with a column of pairs. */
const PAIRED_SINCE = 2;
const PAIRED: readonly string[] = ["span_id", "parent_span_id"];

/**
 * In day files, the id of a span and the id of its parent are a list in one column. Both are random, but the parent's id is usually shortly
 * before, as the id of a span, where zstd finds it: 9.1 bytes for a span instead of 12.6. Reading takes as long as with two columns.
 * @param columns of the table, or of what `readDayFiles` reads
 * @param moved the SQL name of the rows with these columns
 */
export function toPairedCells(table: PartTable, columns: readonly string[], moved: string): string[] {
  if (table !== "spans") return columns.map((column) => `${moved}.${column}`);
  const pair = `[${PAIRED.map((column) => `${moved}.${column}`).join(", ")}] AS ${PAIR_COLUMN}`;
  return [...columns.filter((column) => !PAIRED.includes(column)).map((column) => `${moved}.${column}`), pair];
}

/** The names of the columns that `toPairedCells` makes. */
export function toPairedColumns(table: PartTable, columns: readonly string[]): string[] {
  return table === "spans" ? [...columns.filter((column) => !PAIRED.includes(column)), PAIR_COLUMN] : [...columns];
}

export function toDayFileVersion(table: PartTable): 1 | 2 {
  return table === "spans" ? PAIRED_SINCE : 1;
}

/**
 * SQL that reads files, with the columns of their table in their order.
 *
 * @param columns read only these; files of each version must have them
 */
export function readDayFiles(files: readonly Pick<DayFile, "path" | "version">[], columns?: readonly string[]): string {
  const parts = [...Map.groupBy(files, ({ version }) => version)].map(([version, some]) => {
    // A single part needs no union, and is planned faster.
    const union = some.length > 1 ? ", union_by_name = true" : "";
    const source = `read_parquet([${some.map(({ path }) => quoteSql(path)).join(", ")}]${union})`;
    const isPaired = version >= PAIRED_SINCE;
    if (columns)
      return `SELECT ${columns.map((column) => (isPaired ? toCell(column) : column)).join(", ")} FROM ${source}`;
    if (!isPaired) return `FROM ${source}`;
    return `SELECT * EXCLUDE (${PAIR_COLUMN}), ${PAIRED.map(toCell).join(", ")} FROM ${source}`;
  });
  return `(${parts.join(" UNION ALL BY NAME ")})`;
}

function toCell(column: string): string {
  const at = PAIRED.indexOf(column);
  return at < 0 ? column : `${PAIR_COLUMN}[${at + 1}] AS ${column}`;
}
