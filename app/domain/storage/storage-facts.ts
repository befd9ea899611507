import type { StoredSignal } from "../stored-signal.ts";

/** The contents of the payload files of one day. */
export interface StoredDay {
  /** Days since 1970 (UTC). */
  day: number;
  /** Null: files of earlier versions, which hold every signal. */
  signal: StoredSignal | null;
  bytes: number;
}

export interface StorageFacts {
  /** Milliseconds since 1970. */
  now: number;
  /** The size of the data folder on the disk. */
  usedBytes: number;
  /** The size of the event tables, if known. They grow with the payloads. */
  rowBytes: number;
  /** The free space on the disk. */
  freeBytes: number;
  /** If fewer bytes are free, nothing new is accepted. */
  reserveBytes: number;
  /** `MAX_DISK_BYTES`. Null: the disk is the limit. */
  maxBytes: number | null;
  days: readonly StoredDay[];
  retentionDays: Readonly<Record<StoredSignal, number>>;
}
