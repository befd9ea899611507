import { type Cutoffs, categoriesOf, STORED_SIGNALS } from "../../domain/stored-signal.ts";
import type { DuckdbTable } from "./duckdb-tables.ts";

/** SQL that is true for rows that arrived before the instant of their signal. */
export function arrivedBefore({ signal }: DuckdbTable, cutoffs: Cutoffs): string {
  const before = (cutoff: number) => `received_at < ${Math.ceil(cutoff)}`;
  if (signal !== "by-category") return `(${before(cutoffs[signal])})`;
  const known = STORED_SIGNALS.filter((each) => categoriesOf(each).length > 0);
  const conditions = known.map((each) => `(category IN (${toTexts(categoriesOf(each))}) AND ${before(cutoffs[each])})`);
  conditions.push(`(category NOT IN (${toTexts(known.flatMap(categoriesOf))}) AND ${before(cutoffs.other)})`);
  return `(${conditions.join(" OR ")})`;
}

/** SQL of the data category of a row. */
export function categoryOfRow({ signal }: DuckdbTable): string {
  if (signal === "by-category") return "category";
  // Reports of browsers are events, too, and have a category of their own.
  if (signal === "errors") return "coalesce(category, 'error')";
  return toTexts([categoriesOf(signal).find((each) => each !== "default") ?? "unknown"]);
}

function toTexts(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", ");
}
