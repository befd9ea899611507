/**
 * The key of a row without an event id of its own. Deletions note it, and the row log is searched by it. It has the time of arrival,
 * because sequences begin again with a new journal.
 */
export function toItemKey(row: { sequence: number; itemIndex: number; receivedAt: number }): string {
  return `item ${row.sequence} ${row.itemIndex} ${row.receivedAt}`;
}

export function toSessionKey(row: { sequence: number; receivedAt: number; userId: string }): string {
  return `session ${row.sequence} ${row.receivedAt} ${row.userId}`;
}

/** The key of a row in a table where rows differ by the time that they are about, in microseconds since 1970. */
export function toPartKey(row: { table: PartTable; sequence: number; receivedAt: number; atUs: number }): string {
  return `${row.table} ${row.sequence} ${row.receivedAt} ${row.atUs}`;
}

/** Tables for data without payloads, which comes many rows at a time. The value is the column with the time of each row. */
export const PART_TABLES = { spans: "started_us", logs: "occurred_us" } as const;
export type PartTable = keyof typeof PART_TABLES;
