/**
 * The append-only log between ingest and digest. A record is opaque bytes. Its sequence is its number since the journal was made (0, 1, 2,
 * …). Sequences are never reused, and stores save them as their position.
 */
export interface Journal {
  /** Names this journal in the stores' positions: 16 hex characters, made once and kept in the folder. */
  readonly id: string;
  /** Sequence of the first record: 0, except for a bulk journal. No two records of a folder have the same sequence. */
  readonly firstSequence: number;
  /**
   * Resolves with the record's sequence once the record would survive the death of the process. All waiting appends share one durable
   * write.
   * @throws {JournalUnavailableError} before anything is written, if the bytes or the free disk are too few, or the disk fails.
   */
  append(parts: readonly Uint8Array[]): Promise<number>;
  /** Why an append of this size would be refused now. Null: it would be accepted. Uses no I/O. */
  refusal(bytes: number): JournalRefusal | null;
  /** Calls back after each sync with the position up to which the log is durable, never twice with the same position. */
  onDurable(listener: (position: JournalPosition) => void): () => void;
  readonly durable: JournalPosition;
  /** The same as in `stats`, but without any cost. */
  readonly backlogBytes: number;
  /** Says that every store has applied everything before this sequence. Whole segments before it are deleted. */
  release(appliedSequence: number): Promise<void>;
  /** Begins a new segment, so that the segments with records can be deleted as soon as they are applied. */
  rotate(): Promise<void>;
  stats(): JournalStats;
  /** Waits for pending appends, then closes the files. */
  close(): Promise<void>;
}

export interface JournalPosition {
  /** The next sequence: all lower ones are durable. */
  sequence: number;
}

export type JournalRefusal = {
  reason: "backlog-full" | "disk-full" | "disk-error";
  retryAfterSeconds: number;
  message: string;
};

/** Thrown when nothing was appended. The sender may try again later. */
export class JournalUnavailableError extends Error {
  override readonly name = "JournalUnavailableError";
  readonly refusal: JournalRefusal;

  constructor(refusal: JournalRefusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

/** The log of the journal for operators; pino's logger fits. */
export interface JournalLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface JournalStats {
  /** Durable records that some store has not applied yet. */
  backlogRecords: number;
  backlogBytes: number;
  /** When the oldest of these records arrived, in milliseconds since 1970. Null: no record waits. */
  oldestWaitsSince: number | null;
  segmentCount: number;
  /** The number of records that were set aside because of a wrong checksum, since the folder was made. */
  badRecordCount: number;
  /** Bytes cut from torn tails, since the process started. */
  tornBytes: number;
  syncCount: number;
}

export interface JournalRecord {
  sequence: number;
  /** The joined bytes of `append`. It is a view: copy bytes that must outlive the batch. */
  bytes: Uint8Array;
}

/** Reads durable records in order, from any thread. */
export interface JournalReader {
  /** All lower sequences were returned, or could not be read and were set aside. The next record has this sequence or a later one. */
  readonly nextSequence: number;
  /**
   * Returns the next records, about `maxBytes` at most and never past `durable`, and moves forward. Empty if there are none.
   * @throws if a segment cannot be read, after the records before it were returned. The reader returns nothing more then.
   */
  read(durable: JournalPosition, limits: { maxRecords: number; maxBytes: number }): Promise<JournalRecord[]>;
  /** Gives back the memory of all records of one `read`. Later records may overwrite it. */
  recycle(records: readonly JournalRecord[]): void;
  close(): Promise<void>;
}
