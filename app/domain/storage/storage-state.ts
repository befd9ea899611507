import type { StoredSignal } from "../stored-signal.ts";
import type { StoragePlan } from "./plan-storage.ts";
import type { Retention } from "./retention.ts";

/** The data folder as it was measured last, and what will become of it. */
export interface StorageState {
  usedBytes: number;
  freeBytes: number;
  /** The size of the disk. */
  sizeBytes: number;
  /** Bytes by what lies in the folder: `payloads`, `events` (their rows), `blobs` (uploads), `journal` and so on. */
  parts: Array<{ part: string; bytes: number }>;
  /** Payload files by signal. Null: files of earlier versions, which hold every signal. `oldestDay`: days since 1970 (UTC). */
  signals: Array<{ signal: StoredSignal | null; bytes: number; oldestDay: number }>;
  retention: Retention;
  plan: StoragePlan;
}

/** The stored data of a project for a signal. */
export interface ProjectStorage {
  projectId: number;
  signal: StoredSignal;
  rows: number;
  /** Bytes of payload files: the share that its payloads have before compression. */
  bytes: number;
  /** Bytes of the event database: the share that its rows have, as if all rows were equally large. */
  rowBytes: number;
}
