import type { MessagePort } from "node:worker_threads";
import type { PackedDigested } from "./packed-digested.ts";

/** `workerData` of a helper thread. */
export interface HelperThreadData {
  port: MessagePort;
}

/** Records to be digested. */
export interface HelperTask {
  id: number;
  sequences: number[];
  /** The records' bytes, one after the other. */
  bytes: Uint8Array<ArrayBuffer>;
  lengths: number[];
  /** Projects known to have no uploads: only their events may be digested here. Null: events are digested as they came. */
  projectsWithoutUploads: number[] | null;
}

export interface HelperAnswer {
  id: number;
  digested: PackedDigested;
  /** Sequences of records that the digest must look into itself: their events may have source maps. */
  left: number[];
}
