import type { StoredSignal } from "../../domain/stored-signal.ts";
import type { PayloadFile, PayloadRange } from "../payload-store.ts";
import type { AppliedAhead, RowBatch } from "./event-log.ts";
import type { RowsByTable } from "./rows.ts";

/** A file whose entries are read. */
export interface RebuildFile extends PayloadFile {
  /** Rows that its entries have, by table; absent where it was not read yet. */
  rows?: Record<string, number>;
}

/** Ordinals that are reserved for restored rows, so that these stand before rows that come meanwhile. */
export interface ReservedOrdinals {
  /** Ordinal of the first row. */
  from: number;
  /** Place of the first row that has an identity, among those that have one. */
  identityFrom: number;
  /** The first that is not reserved, of both. */
  to: number;
  identityTo: number;
}

/** The end of a journal, by the entries of the row log. */
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
 * How far the rows were restored from the row log. It is saved in the store, in the transaction of the rows. The files are read twice:
 * first the keys of their rows, oldest file first; then the rows, newest file first.
 */
export interface RebuildState {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Why, as the end of a sentence: `is damaged`. */
  reason: string;
  /** Files whose entries are read, in their order; null: not listed yet. */
  files: RebuildFile[] | null;
  /** By table, after the first reading: from then on, rows of new records are accepted. Null: they must wait. */
  reserved: Record<string, ReservedOrdinals> | null;
  /** By journal, from the first reading: the end up to which its records are applied. */
  ends: Record<string, LoggedEnd>;
  /** The file that is being read, and where its next entry begins. */
  fileIndex: number;
  offset: number;
  /** Rows of this file that have their ordinals, by table. */
  placed: Record<string, number>;
  /** Restores only rows that arrived in this range (inclusive, exclusive). Null: all. */
  received: { from: number; to: number } | null;
  /** By journal, the record from which the digest continues: rows of this and later records are not restored. Null: all are. */
  upTo: Record<string, number> | null;
  /** Rows that were written. */
  rows: number;
  /** Entries that could not be read or written: their rows are lost. */
  damagedEntries: number;
  /** Files of such entries, by day and signal. */
  damagedFiles: Array<Pick<PayloadFile, "day" | "signal">>;
  /** Payloads of earlier versions that no entry names yet: their rows are lost. */
  unlistedPayloads: number;
  /** By journal and signal, the ranges of sequences whose rows are written. An append that a crash interrupted is in the log twice. */
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
   * Writes the rows of the batches, from the file that `state()` is at, and the new state (`rows` and `placed` are counted here).
   * Atomic. Rows whose identity is stored are left out. Unknown tables are skipped, and new columns are empty.
   */
  restore(batches: readonly RowBatch[], state: RebuildState): Promise<void>;
  /** Ends the rebuild: all rows are restored. */
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
