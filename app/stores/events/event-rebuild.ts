import type { PayloadFile, PayloadRange } from "../payload-store.ts";
import type { RowBatch } from "./event-log.ts";
import type { RowsByTable } from "./rows.ts";

/** How far the rows of the store have been made from the row log. Kept in the store, in the transaction of the rows. */
export interface RebuildState {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Why, as the end of a sentence: `is damaged`. */
  reason: string;
  /** Files whose entries are read, in their order; null: not listed yet. */
  files: PayloadFile[] | null;
  /** The file that is being read, and where its next entry begins. */
  fileIndex: number;
  offset: number;
  /** Only rows that came within it (inclusive, exclusive); null: all. */
  received: { from: number; to: number } | null;
  /** Rows that were written. */
  rows: number;
  /** Entries that could not be read or written: their rows are lost. */
  damagedEntries: number;
  /** Payloads of earlier versions that no entry names yet: their rows are lost. */
  unlistedPayloads: number;
  /** By journal and signal, the ranges of sequences whose rows are written: an append that a crash has cut off is there twice. */
  written: Record<string, Array<[from: number, to: number]>>;
  /** Blocks of payloads that cannot be read, whose rows are written and are not counted as damaged yet. */
  damagedBlocks: Array<{ fileId: number; offset: number }>;
  /** Entries that say of events that they have moved; they are done when all rows are there. */
  moves: Array<{ fileId: number; offset: number }>;
}

/** Makes the rows of an event store again. */
export interface EventRebuild {
  /** Null: all rows are there. */
  state(): RebuildState | null;
  /** Begins one, and deletes the rows that came within `state.received`. @throws when one is under way */
  begin(state: RebuildState): Promise<void>;
  /**
   * Atomic: the rows of the batches, and how far that is (`state.rows` is counted here). Rows whose identity is there are left out.
   * Tables that are not known any more are passed over, and columns that are new are empty.
   */
  restore(batches: readonly RowBatch[], state: RebuildState): Promise<void>;
  /** From now on, all rows are there. */
  end(): Promise<void>;
  /** The rows of these payloads as they are now, with every column that an append has. */
  rowsOf(range: Omit<PayloadRange, "payloads">): Promise<RowsByTable>;
}

export function newRebuild(reason: string, startedAt: number): RebuildState {
  return {
    startedAt,
    reason,
    files: null,
    fileIndex: 0,
    offset: 0,
    received: null,
    rows: 0,
    damagedEntries: 0,
    unlistedPayloads: 0,
    written: {},
    damagedBlocks: [],
    moves: [],
  };
}
