import type { StoredSignal } from "../../domain/stored-signal.ts";
import type { PayloadFile, PayloadRange } from "../payload-store.ts";
import type { AppliedAhead, RowBatch } from "./event-log.ts";
import type { RowsByTable } from "./rows.ts";

/** A file whose entries are read. */
export interface RebuildFile extends PayloadFile {
  /** Rows that its entries have, by table; absent where it was not read yet. */
  rows?: Record<string, number>;
}

/** Ordinals that are kept for the rows that come back, so that they stand before those that come meanwhile. */
export interface ReservedOrdinals {
  /** Of the first row. */
  from: number;
  /** Of the first row with an identity, among those that have one. */
  identityFrom: number;
  /** The first that is not reserved, of both. */
  to: number;
  identityTo: number;
}

/** What the entries of a journal say of its records. */
export interface LoggedEnd {
  /** Of the last batch: its first record with rows, and its end (exclusive). */
  from: number;
  upTo: number;
  /** Of the last batch: whose rows it has. */
  signals: StoredSignal[];
  /** As `LoggedBatch.repeats`. */
  repeats: number[];
  /** By signal, the highest `upTo` of an entry. */
  reached: AppliedAhead["signals"];
}

/**
 * How far the rows of the store have been made from the row log. Kept in the store, in the transaction of the rows. The files are read twice:
 * first for what their rows are known by, from the oldest file on; then for the rows, from the newest file on.
 */
export interface RebuildState {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Why, as the end of a sentence: `is damaged`. */
  reason: string;
  /** Files whose entries are read, in their order; null: not listed yet. */
  files: RebuildFile[] | null;
  /** By table, once the files were read the first time: from then on, rows of new records are taken. Null: they must wait. */
  reserved: Record<string, ReservedOrdinals> | null;
  /** By journal, from the first reading: up to where its records are applied. */
  ends: Record<string, LoggedEnd>;
  /** The file that is being read, and where its next entry begins. */
  fileIndex: number;
  offset: number;
  /** Rows of this file that have their ordinals, by table. */
  placed: Record<string, number>;
  /** Only rows that came within it (inclusive, exclusive); null: all. */
  received: { from: number; to: number } | null;
  /** By journal, where the digest goes on by itself: rows of records from there on are not restored. Null: all are. */
  upTo: Record<string, number> | null;
  /** Rows that were written. */
  rows: number;
  /** Entries that could not be read or written: their rows are lost. */
  damagedEntries: number;
  /** Files of such entries, by day and signal. */
  damagedFiles: Array<Pick<PayloadFile, "day" | "signal">>;
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
  /** Begins one of a store that is not lost, and deletes the rows that came within `state.received`. @throws when one is under way */
  begin(state: RebuildState): Promise<void>;
  /**
   * Atomic: notes what rows are known by that are to be restored, and how far that is. `findExisting` and `append` take them for rows that
   * are there.
   */
  noteLost(batches: readonly RowBatch[], state: RebuildState): Promise<void>;
  /**
   * Everything is noted: from now on, rows may be appended. They stand behind the rows that `state.files` counts. Sets `state.reserved`, and
   * the positions that `state.ends` tells.
   */
  reserve(state: RebuildState): Promise<void>;
  /**
   * Atomic: the rows of the batches, of the file that `state()` is at, and how far that is (`rows` and `placed` are counted here). Rows whose
   * identity is there are left out. Tables that are not known any more are passed over, and columns that are new are empty.
   */
  restore(batches: readonly RowBatch[], state: RebuildState): Promise<void>;
  /** From now on, all rows are there. */
  end(): Promise<void>;
  /** The rows of these payloads as they are now, with every column that an append has. */
  rowsOf(range: Omit<PayloadRange, "payloads">): Promise<RowsByTable>;
}

/** Whether rows of new records must wait: which of them are repeats is not known yet. */
export function isNotingLostRows({ rebuild }: { rebuild: Pick<EventRebuild, "state"> }): boolean {
  const state = rebuild.state();
  return state !== null && state.reserved === null;
}

export function newRebuild(reason: string, startedAt: number): RebuildState {
  return {
    startedAt,
    reason,
    files: null,
    reserved: null,
    ends: {},
    fileIndex: 0,
    offset: 0,
    placed: {},
    received: null,
    upTo: null,
    rows: 0,
    damagedEntries: 0,
    damagedFiles: [],
    unlistedPayloads: 0,
    written: {},
    damagedBlocks: [],
    moves: [],
  };
}
