import type { MessagePort } from "node:worker_threads";
import type { GroupingMoves } from "../grouping/grouping-moves.ts";
import type { JournalLog } from "../journal/journal.ts";
import type { PackedBatch } from "./mapped-batch.ts";

/** `workerData` of a map thread. */
export interface MapThreadData {
  storesModule: string;
  storesOptions: unknown;
  /** Whether ports to a symbolicator will come; without, events are stored as they came. */
  hasSymbolicator: boolean;
  groupingMoves: GroupingMoves;
}

/** Records to be mapped. */
export interface MapTask {
  sequences: number[];
  /** The records, one after the other. */
  bytes: Uint8Array<ArrayBuffer>;
  lengths: number[];
  /** See `MapOptions`. */
  appliedSequence: number;
}

export type ToMapThread =
  | ({ kind: "map" } & MapTask)
  /** The answer about a batch that has more parts: `next` asks for the next part, `end` wants no more. */
  | { kind: "next" | "end" }
  /** The way to a symbolicator; it takes the place of the one before. */
  | { kind: "symbolicator"; port: MessagePort };

export type FromMapThread =
  /** A part of the batch, which covers its next `recordCount` records. If more parts follow, the thread waits until it is asked. */
  | { kind: "mapped"; batch: PackedBatch; recordCount: number }
  /** A store failed. */
  | { kind: "failed"; message: string }
  | { kind: "log"; level: keyof JournalLog; facts: object; message: string };
