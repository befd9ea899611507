import type { Cutoffs, StoredSignal } from "../../domain/stored-signal.ts";
import type { RowsByTable } from "./rows.ts";

/** A project has each of these only once: the id of an event, the identity of an item. */
export interface RowKey {
  projectId: number;
  identity: string;
}

/** The rows that a run of journal records adds. */
export interface RowBatch {
  journalId: string;
  /** Exclusive: after the commit, every record below this sequence is applied. */
  upTo: number;
  /** Exclusive: records below are applied before it, perhaps by a batch that is on its way. If they are not, nothing is written. Absent: they are. */
  follows?: number;
  rows: RowsByTable;
  /** Places of items whose rows are not written, because they came before. */
  leftOut: readonly number[];
  environments: readonly SeenEnvironment[];
}

/** The records beyond its position that a store has already applied, by journal. */
export interface AppliedAhead {
  /** Up to which record (exclusive) the rows of a signal are there. */
  signals: Partial<Record<StoredSignal, number>>;
  /** Sequences of records whose event had come before. */
  repeats: readonly number[];
}

export const NOTHING_AHEAD: AppliedAhead = { signals: {}, repeats: [] };

export interface SeenEnvironment {
  projectId: number;
  environment: string;
  /** Milliseconds since 1970. */
  seenAt: number;
}

export interface StoredCount {
  projectId: number;
  /** A data category. */
  category: string;
  quantity: number;
}

export interface StoredSum {
  projectId: number;
  signal: StoredSignal;
  /** On which they came: days since 1970 (UTC). */
  day: number;
  rows: number;
  /** Before compression. */
  payloadBytes: number;
}

/** The rows of every signal, which only grow. One writer (digest). */
export interface EventLog {
  /** Exclusive: every record of that journal below this sequence is applied. 0 for a journal never seen. */
  appliedSequence(journalId: string): Promise<number>;
  /** Rows beyond the position of a journal. A rebuild finds them if a crash came between the files of a batch. The caller leaves them out. */
  appliedAhead(journalId: string): Promise<AppliedAhead>;
  /** The given keys that a stored event or item has, as `${projectId}:${identity}`. */
  findExisting(keys: readonly RowKey[]): Promise<Set<string>>;
  /**
   * Atomic: rows and position together. Rows of records below the applied sequence, and rows whose identity the project has
   * already, are left out and counted as duplicates; within the batch the lowest sequence counts, and an event before an
   * item of the same. Durable when it resolves. Rejects, and stores nothing, when a row cannot be stored; the same batch may
   * be tried again after any failure.
   *
   * An event of a batch that needs no `logged` is found by its id, with its neighbours and items, before it resolves: the rows may wait
   * for long. Lists and counts that are asked for after somebody has found it have it, too.
   *
   * @param logged nothing is stored before it resolves, and nothing at all when it rejects
   */
  append(batch: RowBatch, logged?: Promise<unknown>): Promise<{ stored: number; duplicates: number }>;
  /** Counts rows by project and category that `dropBefore(cutoffs)` would delete and `dropBefore(since)` would not. */
  countExpired(cutoffs: Cutoffs, since: Cutoffs): Promise<StoredCount[]>;
  /** Everything that is stored, by project, signal and day. Reads every row of a few columns. */
  sumStored(): Promise<StoredSum[]>;
  /** Deletes what came before the instant of its signal, and items that have expired by `now`; gives how many rows went. */
  dropBefore(cutoffs: Cutoffs, now: number): Promise<number>;
}
