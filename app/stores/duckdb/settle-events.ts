import type { DuckDBConnection } from "@duckdb/node-api";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";

export interface SettlingSizes {
  /** Ordinals that are settled at once. */
  piece: number;
  /** The number of newest events that stay in the order of their arrival. */
  unsettled: number;
  /** Rows that are sorted at once. */
  sorted: number;
}

/**
 * A piece has three row groups: sorting and writing it takes half a second of one core on a busy machine (8 µs a row), and other writes
 * wait. The row group that is still being filled stays as it is. Sorting a whole piece at once would take 60 MB, all of DuckDB's memory.
 */
export const SETTLING_SIZES: SettlingSizes = { piece: 61_440, unsettled: 20_480, sorted: 8_192 };

interface Range {
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  to: number;
}

/**
 * Rewrites the oldest unsettled rows, clustered by issue. A reader of the events of one issue then reads a few places of the file instead
 * of all of it: the tags of 500 among 1 million events take 20 ms instead of 200. Only the order in the file changes; rows keep their
 * ordinals. Resolves with false if there is no full piece.
 */
export async function settleEvents(
  database: DuckdbDatabase,
  nextOrdinal: () => number,
  { piece, unsettled, sorted }: SettlingSizes,
): Promise<boolean> {
  return database.transaction(async (connection) => {
    const [settled] = await readRows(connection, "SELECT up_to::DOUBLE AS up_to FROM settled_events");
    const [oldest] = await readRows(connection, "SELECT min(ordinal)::DOUBLE AS ordinal FROM events");
    const nothing = { result: false, onCommit: () => undefined };
    if (typeof oldest?.ordinal !== "number") return nothing;
    const from = Math.max(Number(settled?.up_to), oldest.ordinal);
    const to = from + piece;
    if (to + unsettled > nextOrdinal()) return nothing;
    await settlePiece(connection, { from, to }, sorted);
    await connection.run("UPDATE settled_events SET up_to = $1", [to]);
    return { result: true, onCommit: () => undefined };
  });
}

async function settlePiece(connection: DuckDBConnection, { from, to }: Range, sortedRows: number): Promise<void> {
  const issues = await readRows(
    connection,
    `SELECT issue_id::DOUBLE AS issue_id, count(*)::DOUBLE AS events, max(rowid)::DOUBLE AS last_row_id
     FROM events WHERE ordinal >= $1 AND ordinal < $2 GROUP BY issue_id ORDER BY issue_id`,
    [from, to],
  );
  if (issues.length === 0) return;
  const counted = issues.map((row) => ({ issueId: Number(row.issue_id), events: Number(row.events) }));
  for (const ids of cutByEvents(counted, sortedRows)) {
    await connection.run(
      `INSERT INTO events SELECT * FROM events
       WHERE ordinal >= $1 AND ordinal < $2 AND issue_id >= $3 AND issue_id < $4 AND rowid <= $5
       ORDER BY issue_id, ordinal`,
      [from, to, ids.from, ids.to, lastRowId(issues)],
    );
  }
  await connection.run("DELETE FROM events WHERE ordinal >= $1 AND ordinal < $2 AND rowid <= $3", [
    from,
    to,
    lastRowId(issues),
  ]);
}

/** The last row that is not a copy: row ids of an uncommitted transaction begin at 2^55. */
function lastRowId(issues: ReadonlyArray<{ [name: string]: unknown }>): bigint {
  return BigInt(Math.max(...issues.map((row) => Number(row.last_row_id))));
}

/** Splits issues into ranges of ids with at most `events` events each, or one issue. */
function cutByEvents(issues: ReadonlyArray<{ issueId: number; events: number }>, events: number): Range[] {
  const ranges: Range[] = [];
  let sum = 0;
  for (const { issueId, events: ofIssue } of issues) {
    const last = ranges.at(-1);
    if (last === undefined || sum + ofIssue > events) {
      ranges.push({ from: issueId, to: issueId + 1 });
      sum = ofIssue;
    } else {
      last.to = issueId + 1;
      sum += ofIssue;
    }
  }
  return ranges;
}
