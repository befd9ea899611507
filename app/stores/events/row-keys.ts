/**
 * What a row without an event id of its own is noted as when it is deleted, and found by in the row log. Sequences begin again with a new
 * journal: the instant tells rows of two journals apart.
 */
export function toItemKey(row: { sequence: number; itemIndex: number; receivedAt: number }): string {
  return `item ${row.sequence} ${row.itemIndex} ${row.receivedAt}`;
}

export function toSessionKey(row: { sequence: number; receivedAt: number; userId: string }): string {
  return `session ${row.sequence} ${row.receivedAt} ${row.userId}`;
}

/** Of a table whose rows are told apart by the time that they are about: microseconds since 1970. */
export function toPartKey(row: { table: PartTable; sequence: number; receivedAt: number; atUs: number }): string {
  return `${row.table} ${row.sequence} ${row.receivedAt} ${row.atUs}`;
}

/** Tables of what comes without a payload, many rows at a time, with the column of the time that each is about. */
export const PART_TABLES = { spans: "started_us", logs: "occurred_us" } as const;
export type PartTable = keyof typeof PART_TABLES;
