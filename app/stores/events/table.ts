/** Kinds of columns: whole numbers, other numbers, yes or no, ids of 32 or 16 lower-case hex characters, and texts. */
export type ColumnType = "integer" | "real" | "boolean" | "uuid" | "hex64" | "text";
export type Cell = string | number | boolean | null;

/** A column whose value is known only when the batch is committed: the issue, the place of the payload. */
export type LateColumn = "issue_id" | "payload_file" | "payload_offset" | "payload_index";

/**
 * How a text is cut if its row is too long: as JSON of an object, by lines, or not at all. Other texts lose their end. See
 * bounded-row.ts.
 */
export type Keeps = "object" | "lines" | "whole";

export interface Table {
  name: string;
  columns: ReadonlyArray<{ name: string; type: ColumnType; keeps?: Keeps }>;
  /** Whole numbers. */
  lateColumns: readonly LateColumn[];
  /** Columns of texts that older entries of the row log do not have: null. */
  addedTexts?: readonly string[];
  /** The column for texts that had to be cut, as they were. Absent: they are in the payload. */
  longTexts?: string;
}
