/**
 * The append-only log between ingest and digest. A record is opaque bytes; its sequence is its number since the journal
 * was made (0, 1, 2, …), never reused, and what stores remember as their position.
 */
export interface Journal {
  /** Names this journal in the stores' positions: 16 hex characters, made once and kept in the folder. */
  readonly id: string;
  /** Of its first record: 0, but for a bulk journal. No record of a folder has the sequence of another. */
  readonly firstSequence: number;
  /**
   * Resolves with the record's sequence once it would survive the process dying (one durable write for all appends that wait).
   * @throws {JournalUnavailableError} before anything is written, when bytes or free disk are short, or the disk fails.
   */
  append(parts: readonly Uint8Array[]): Promise<number>;
  /** Whether an append of so many bytes would be refused now, and why; null when it would be taken. Costs no I/O. */
  refusal(bytes: number): JournalRefusal | null;
  /** Up to where the log is durable. Calls back after each sync, never twice with the same position. */
  onDurable(listener: (position: JournalPosition) => void): () => void;
  readonly durable: JournalPosition;
  /** As in `stats`. Costs nothing. */
  readonly backlogBytes: number;
  /** Everything before this sequence is applied by every store; whole segments before it are deleted. */
  release(appliedSequence: number): Promise<void>;
  /** Begins a new segment, so that those with records can be deleted once they are applied: at once, where they are. */
  rotate(): Promise<void>;
  stats(): JournalStats;
  /** Waits for pending appends, then closes the files. */
  close(): Promise<void>;
}

export interface JournalPosition {
  /** The sequence that comes next: everything below is durable. */
  sequence: number;
}

export type JournalRefusal = {
  reason: "backlog-full" | "disk-full" | "disk-error";
  retryAfterSeconds: number;
  message: string;
};

/** Nothing was appended: the sender may try again after a while. */
export class JournalUnavailableError extends Error {
  override readonly name = "JournalUnavailableError";
  readonly refusal: JournalRefusal;

  constructor(refusal: JournalRefusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

/** What the journal says to operators; pino's logger fits. */
export interface JournalLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface JournalStats {
  /** Durable records that some store has not applied yet. */
  backlogRecords: number;
  backlogBytes: number;
  /** Since when the oldest of them has waited, in milliseconds since 1970; null: none waits. */
  oldestWaitsSince: number | null;
  /** Bytes on disk, applied segments that are not deleted yet included. */
  diskBytes: number;
  segmentCount: number;
  /** Records set aside because their checksum was wrong, since the folder was made. */
  badRecordCount: number;
  /** Bytes cut from torn tails, since the process started. */
  tornBytes: number;
  syncCount: number;
}

export interface JournalRecord {
  sequence: number;
  /** The bytes of `append`, joined. A view: copy what must outlive the batch. */
  bytes: Uint8Array;
}

/** Reads what is durable, in order, from any thread. */
export interface JournalReader {
  /** Everything below was given, or could not be read and is set aside; the next record has this sequence or a later one. */
  readonly nextSequence: number;
  /**
   * The next records, at most about `maxBytes` and never past `durable`; empty when there is none. Moves on by itself.
   * @throws when a segment cannot be read, after what comes before it was given; it gives nothing more then.
   */
  read(durable: JournalPosition, limits: { maxRecords: number; maxBytes: number }): Promise<JournalRecord[]>;
  /** Nobody looks at the bytes of these records any more, all that one `read` gave: later ones may be written over them. */
  recycle(records: readonly JournalRecord[]): void;
  close(): Promise<void>;
}
