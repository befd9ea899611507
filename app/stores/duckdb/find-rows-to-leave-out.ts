import type { DuckDBConnection } from "@duckdb/node-api";
import type { RowKey } from "../event-store.ts";
import type { EncodedEventBatch } from "./encode-event-batch.ts";
import { type IdentityIndex, toRowKey } from "./identity-index.ts";

/** The identities of both tables, which are one space. */
export interface IdentityIndexes {
  events: IdentityIndex;
  items: IdentityIndex;
}

/** Which of the keys an event or item has, as `toRowKey`. */
export async function findStored(
  { events, items }: IdentityIndexes,
  connection: DuckDBConnection,
  keys: readonly RowKey[],
): Promise<Set<string>> {
  const stored = await events.findStored(connection, keys);
  for (const key of await items.findStored(connection, keys)) stored.add(key);
  return stored;
}

/** Indexes of rows that were applied before, whose identity the project has, or that have the one of a row before them. */
export async function findRowsToLeaveOut(
  indexes: IdentityIndexes,
  connection: DuckDBConnection,
  { events, items }: EncodedEventBatch,
  applied: number,
): Promise<{ events: number[]; items: number[] }> {
  const leftOut = { events: [] as number[], items: indexesBelow(items.sequences, applied) };
  const firstByKey = new Map<string, { table: "events" | "items"; index: number }>();
  const candidates: RowKey[] = [];
  const consider = (table: "events" | "items", index: number, projectId: number, identity: string) => {
    const key = { projectId, identity };
    const text = toRowKey(key);
    if (firstByKey.has(text)) {
      leftOut[table].push(index);
    } else {
      firstByKey.set(text, { table, index });
      candidates.push(key);
    }
  };

  const { rowIndexes, projectIds, identities } = items.identified;
  let next = 0;
  const considerItemsBefore = (bound: number) => {
    for (; next < identities.length; next++) {
      const row = rowIndexes[next] ?? 0;
      const sequence = items.sequences[row] ?? 0;
      if (sequence >= bound) return;
      if (sequence >= applied) consider("items", row, projectIds[next] ?? 0, identities[next] ?? "");
    }
  };
  for (let index = 0; index < events.count; index++) {
    const sequence = events.sequences[index] ?? 0;
    if (sequence < applied) {
      leftOut.events.push(index);
      continue;
    }
    considerItemsBefore(sequence);
    consider("events", index, events.facts.projectIds[index] ?? 0, events.eventIds[index] ?? "");
  }
  considerItemsBefore(Number.POSITIVE_INFINITY);

  for (const text of await findStored(indexes, connection, candidates)) {
    const first = firstByKey.get(text);
    if (first) leftOut[first.table].push(first.index);
  }
  return leftOut;
}

function indexesBelow(sequences: Float64Array, bound: number): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < sequences.length; index++) {
    if ((sequences[index] ?? 0) < bound) indexes.push(index);
  }
  return indexes;
}
