import { shortenJson } from "./shorten-json.ts";
import { byteLength, findBound, shortenLines, shortenText } from "./shorten-text.ts";
import type { Keeps, Table } from "./table.ts";

/**
 * Bytes of one text, and of all texts of a row. A database reads 2,048 rows at once and holds their texts meanwhile. DuckDB stores texts of
 * 4,096 bytes and more apart. It can neither write those to the disk nor limit their memory (duckdb/duckdb#23396, #24897). Shorter ones
 * take twice their bytes to unpack, and as much again to look into. With attributes of this size, counting their values takes 22 MB. With
 * twice the size it takes 44 MB, and DuckDB has at least 64.
 */
export const MAX_TEXT_BYTES = 2_000;
export const MAX_ROW_BYTES = 4_000;
/** Bytes for the tags of an event, which people search: DuckDB keeps longer texts apart. They are beside the other texts. */
export const MAX_LINES_BYTES = 4_000;
/** Between the parts of a row's long texts. JSON never has it. */
export const BETWEEN_PARTS = "\x1e";
/** UTF-16 code units. Counting the bytes of a shorter text costs more than it tells. */
const MIN_COUNTED_LENGTH = 40;
/** UTF-16 code units of one part: at most 1,950 bytes. */
const PART_LENGTH = 650;

type Cells = ReadonlyArray<string | number | null>;

/**
 * The row with texts that are not longer than a row may have them. Where something had to be cut, `Table.longTexts` gets the columns that
 * were, as they were: JSON of an object by the name of the column, in parts.
 */
export function boundCells(table: Table, cells: Cells): Cells {
  const { columns, longTexts } = table;
  if (isShort(cells)) return cells;
  const sizes = cells.map((cell) => (typeof cell === "string" ? byteLength(cell) : 0));
  const sizesOf = (isOne: (keeps: Keeps | undefined) => boolean) => sizes.filter((_, at) => isOne(columns[at]?.keeps));
  const wholeBytes = sizesOf((keeps) => keeps === "whole").reduce((sum, size) => sum + size, 0);
  const others = sizesOf((keeps) => keeps === undefined || keeps === "object");
  const bound = Math.min(MAX_TEXT_BYTES, findBound(others, MAX_ROW_BYTES - wholeBytes));
  const long: Record<string, string> = {};
  const bounded = cells.map((cell, at) => {
    const { name, keeps } = columns[at] as Table["columns"][number];
    const max = keeps === "lines" ? MAX_LINES_BYTES : bound;
    if (typeof cell !== "string" || keeps === "whole" || (sizes[at] as number) <= max || name === longTexts)
      return cell;
    long[name] = cell;
    if (keeps === "object") return shortenJson(cell, max);
    return keeps === "lines" ? shortenLines(cell, max) : shortenText(cell, max);
  });
  const place = columns.findIndex(({ name }) => name === longTexts);
  if (place === -1 || Object.keys(long).length === 0) return bounded;
  bounded[place] = toParts(JSON.stringify(long)).join(BETWEEN_PARTS);
  return bounded;
}

/**
 * True for nearly every row: all its texts together are no longer than a single text may be. A unit of UTF-16 takes at most three bytes
 * of UTF-8.
 */
function isShort(cells: Cells): boolean {
  let bytes = 0;
  for (const cell of cells)
    if (typeof cell === "string") bytes += cell.length < MIN_COUNTED_LENGTH ? cell.length * 3 : byteLength(cell);
  return bytes <= MAX_TEXT_BYTES;
}

/** The columns that were cut, as they were before. `text` is without the marks between parts. */
export function readLongTexts(text: string): Map<string, string> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

function toParts(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PART_LENGTH);
    const last = text.charCodeAt(to - 1);
    // Never inside a surrogate pair.
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to--;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
