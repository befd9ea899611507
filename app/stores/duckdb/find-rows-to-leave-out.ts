import type { DuckDBConnection } from "@duckdb/node-api";
import type { RowBatch, RowKey } from "../events/event-log.ts";
import { readIds, readNumbers, type TableRows } from "../events/rows.ts";
import { type IdentityIndex, toRowKey } from "./identity-index.ts";

/** Indexes by table. An identity is unique over all of them. */
export type IdentityIndexes = ReadonlyMap<string, IdentityIndex>;

/** The keys that a stored row has, in the form of `toRowKey`. */
export async function findStored(
  indexes: Iterable<IdentityIndex>,
  connection: DuckDBConnection,
  keys: readonly RowKey[],
): Promise<Set<string>> {
  const stored = new Set<string>();
  for (const index of indexes) {
    for (const key of await index.findStored(connection, keys)) stored.add(key);
  }
  return stored;
}

/** False: no row has one of the keys. Reads no rows. */
export function mayBeStored(indexes: Iterable<IdentityIndex>, keys: readonly RowKey[]): boolean {
  for (const index of indexes) if (keys.some(({ identity }) => index.rangesOf(identity).length > 0)) return true;
  return false;
}

interface Candidate extends RowKey {
  rows: TableRows;
  index: number;
  sequence: number;
}

/**
 * The indexes of rows to leave out, by table. A row is left out if its item is a repeat, if its record was applied before, if a stored row
 * of the project has its identity, or if an earlier row of the batch has it.
 * @param known the indexes of stored identities
 */
export async function findRowsToLeaveOut(
  indexes: IdentityIndexes,
  connection: DuckDBConnection,
  batch: RowBatch,
  { applied, known }: { applied: number; known: readonly IdentityIndex[] },
): Promise<Map<TableRows, number[]>> {
  const repeated = new Set(batch.leftOut);
  const leftOut = new Map<TableRows, number[]>();
  const candidates: Candidate[] = [];
  for (const rows of batch.rows) {
    const indexesOut: number[] = [];
    leftOut.set(rows, indexesOut);
    const sequences = readNumbers(rows, "sequence");
    const identity = indexes.get(rows.table)?.columns.identity;
    const identities = identity === undefined ? [] : readIds(rows, identity);
    const projectIds = identity === undefined ? sequences : readNumbers(rows, "project_id");
    for (let index = 0; index < rows.count; index++) {
      const sequence = sequences[index] as number;
      const own = identities[index];
      if (sequence < applied || repeated.has(rows.items[index] as number)) indexesOut.push(index);
      else if (own) candidates.push({ rows, index, sequence, projectId: projectIds[index] as number, identity: own });
    }
  }
  // A stable sort: within a record, rows stay in the order of the tables.
  candidates.sort((a, b) => a.sequence - b.sequence);
  const firstByKey = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = toRowKey(candidate);
    if (firstByKey.has(key)) leftOut.get(candidate.rows)?.push(candidate.index);
    else firstByKey.set(key, candidate);
  }
  for (const key of await findStored(known, connection, [...firstByKey.values()])) {
    const first = firstByKey.get(key);
    if (first) leftOut.get(first.rows)?.push(first.index);
  }
  return leftOut;
}
