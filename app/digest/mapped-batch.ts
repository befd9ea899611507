import type { Digested, DigestedItem } from "../signals/digested.ts";
import { type RowsByTable, toRowsByTable, transferablesOf } from "../stores/events/rows.ts";

/** An item whose rows are among those of its batch. */
export type MappedItem = Omit<DigestedItem, "rows">;

/** A batch between the map stage and the commit: rows by table, column by column. */
export interface MappedBatch extends Omit<Digested, "items"> {
  items: readonly MappedItem[];
  rows: RowsByTable;
}

export function toMappedBatch(digested: Digested): MappedBatch {
  return { ...digested, rows: toRowsByTable(digested.items) };
}

/** The identities of the items, by project. A project stores each identity once. Streamed spans and logs have none. */
export function listIdentities(items: readonly Pick<MappedItem, "projectId" | "identity">[]): Set<string> {
  return new Set(items.flatMap(({ projectId, identity }) => (identity === null ? [] : `${projectId}:${identity}`)));
}

/**
 * A batch as it goes from thread to thread: rows and bytes move, and the rest is text, which costs a fifth of what structured
 * cloning does.
 */
export interface PackedBatch {
  rows: RowsByTable;
  /** JSON of items, outcomes and what was set aside, without bytes. */
  json: string;
  /** The bytes of payloads and of parts that were set aside, one after the other, in an array buffer of their own. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Length of each: items, set aside. */
  lengths: number[];
}

const NOTHING = new Uint8Array(0);

export function packBatch({ items, outcomes, setAside, filtered, rows }: MappedBatch): {
  packed: PackedBatch;
  transfer: ArrayBuffer[];
} {
  const payloads = items.map(({ payload }) => payload ?? NOTHING);
  const parts = [...payloads, ...setAside.map(({ bytes }) => bytes)];
  const bytes = joinBytes(parts);
  const json = JSON.stringify({
    items: items.map((item) => ({ ...item, payload: item.payload && undefined, rows: undefined })),
    outcomes,
    filtered,
    setAside: setAside.map((entry) => ({ ...entry, bytes: undefined })),
  });
  const lengths = parts.map(({ length }) => length);
  return { packed: { rows, json, bytes, lengths }, transfer: [bytes.buffer, ...transferablesOf(rows)] };
}

export function unpackBatch({ rows, json, bytes, lengths }: PackedBatch): MappedBatch {
  const { items, outcomes, setAside, filtered }: Omit<MappedBatch, "rows"> = JSON.parse(json);
  const parts = splitBytes(bytes, lengths);
  const next = () => parts.next().value as Uint8Array;
  return {
    rows,
    items: items.map((item) => {
      const payload = next();
      return item.payload === null ? item : { ...item, payload };
    }),
    outcomes,
    ...(filtered ? { filtered } : {}),
    setAside: setAside.map((entry) => ({ ...entry, bytes: next() })),
  };
}

/** Roughly the bytes that the batch occupies in memory. */
export function bytesOfPacked({ rows, json, bytes }: PackedBatch): number {
  let sum = bytes.length + json.length;
  for (const { columns } of rows) for (const column of Object.values(columns)) sum += column.length;
  return sum;
}

/** Joins the parts in an array buffer that holds nothing else, so that it can move to another thread. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function* splitBytes(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array, undefined> {
  let at = 0;
  for (const length of lengths) {
    yield bytes.subarray(at, at + length);
    at += length;
  }
}
