import type { PartTable } from "../events/row-keys.ts";
import { type DayFile, toText } from "./day-file.ts";

const PAIR_COLUMN = "ids";
/** Version of the files that have a column of pairs. */
const PAIRED_SINCE = 2;
const PAIRED: readonly string[] = ["span_id", "parent_span_id"];

/**
 * In files of days, the id of a span and that of its parent are a list in one column. Both are random. But that of a parent stands shortly before as
 * the id of a span, where zstd finds it: 9.1 bytes of a span instead of 12.6. Reading takes as long as that of two columns.
 *
 * @param columns of the table, or of what `readDayFiles` reads
 * @param moved what these are columns of
 */
export function toPairedCells(table: PartTable, columns: readonly string[], moved: string): string[] {
  if (table !== "spans") return columns.map((column) => `${moved}.${column}`);
  const pair = `[${PAIRED.map((column) => `${moved}.${column}`).join(", ")}] AS ${PAIR_COLUMN}`;
  return [...columns.filter((column) => !PAIRED.includes(column)).map((column) => `${moved}.${column}`), pair];
}

/** What `toPairedCells` are called. */
export function toPairedColumns(table: PartTable, columns: readonly string[]): string[] {
  return table === "spans" ? [...columns.filter((column) => !PAIRED.includes(column)), PAIR_COLUMN] : [...columns];
}

export function toDayFileVersion(table: PartTable): 1 | 2 {
  return table === "spans" ? PAIRED_SINCE : 1;
}

/** SQL that reads files, with the columns of their table, in their order. */
export function readDayFiles(files: readonly Pick<DayFile, "path" | "version">[]): string {
  const parts = [...Map.groupBy(files, ({ version }) => version)].map(([version, some]) => {
    const source = `read_parquet([${some.map(({ path }) => toText(path)).join(", ")}], union_by_name = true)`;
    if (version < PAIRED_SINCE) return `FROM ${source}`;
    const cells = PAIRED.map((column, at) => `${PAIR_COLUMN}[${at + 1}] AS ${column}`);
    return `SELECT * EXCLUDE (${PAIR_COLUMN}), ${cells.join(", ")} FROM ${source}`;
  });
  return `(${parts.join(" UNION ALL BY NAME ")})`;
}
