import type { Cutoffs, StoredSignal } from "../domain/stored-signal.ts";

/**
 * Where a payload lies: a block of many payloads compressed together, and its place in the block.
 * `fileId` grows with time; the day of the file can be told from it (see the engine).
 */
export interface PayloadRef {
  fileId: number;
  /** Byte offset of the block in the file. */
  offset: number;
  /** Index of the payload in its block. */
  index: number;
}

/** The disk does not hold what was written. */
export class DamagedPayloadError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`damaged payload: ${reason}`, options);
    this.name = "DamagedPayloadError";
  }
}

/** Null when the payload is damaged. */
export async function ignoreDamaged<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DamagedPayloadError) return null;
    throw error;
  }
}

/** By its name: the build of the pages has a class of its own, and gets errors of the server's. */
export function isDamagedPayload(error: unknown): boolean {
  return error instanceof Error && error.name === "DamagedPayloadError";
}

export interface PayloadFile {
  fileId: number;
  bytes: number;
  /** On which they came: days since 1970 (UTC). */
  day: number;
  /** The signal of the file; null: every signal, as in files of earlier versions. */
  signal: StoredSignal | null;
}

/** The results of `PayloadStore.readLog`, in the order in which they were written. */
export type PayloadLogPart =
  | {
      kind: "entry";
      bytes: Uint8Array;
      /**
       * Of the payload at this place in the call of `append`. Where the blocks before the entry are damaged, reading by it
       * rejects with `DamagedPayloadError`.
       */
      refOf(place: number): PayloadRef;
      /**
       * Offsets, as references have them, of the blocks of its payloads that cannot be read. Reads them all: to be asked before the next
       * part is.
       */
      findDamagedBlocks(): Promise<number[]>;
      /** Where the next part begins. */
      endOffset: number;
    }
  /** Something that cannot be read; what follows is found again behind it. */
  | { kind: "damaged"; reason: string; endOffset: number }
  /** Payloads that were appended without an entry, as earlier versions did. */
  | { kind: "unlisted"; payloads: number; endOffset: number };

/** The signal and the day decide in which file payloads are written. */
export interface PayloadPlace {
  /** Milliseconds since 1970. */
  receivedAt: number;
  signal: StoredSignal;
}

/** What becomes of an append when its file is written again. */
export interface ErasedAppend {
  /** Places in the call of `append`, of payloads that go. */
  places: ReadonlySet<number>;
  /** Payloads of the file that an entry names by their references, because it was added later. */
  refs?: readonly Omit<PayloadRef, "fileId">[];
  /** The entry that takes the place of the one that was there. */
  entry: Uint8Array;
}

/** What becomes of an append when payloads of it are changed. */
export interface RewrittenAppend {
  /** By place in the call of `append`. */
  places: ReadonlyMap<number, RewritePayload>;
  /** As `ErasedAppend.refs`. */
  refs?: ReadonlyArray<Omit<PayloadRef, "fileId"> & { rewrite: RewritePayload }>;
  entry: Uint8Array;
}

/** What takes the place of a payload. */
export type RewritePayload = (payload: Uint8Array) => Uint8Array;

/** Payloads that lie together in a file: their references have offsets from `from` up to `to` (exclusive). */
export interface PayloadRange {
  fileId: number;
  from: number;
  to: number;
  payloads: number;
}

/** The bytes that are too large for a table: event JSON, attachments, recordings. Append-only, dropped by the day. */
export interface PayloadStore {
  /**
   * Compresses the payloads together (in blocks of a size that the engine chooses) and resolves once they would survive
   * the process dying. Unreferenced payloads after a crash are waste, never damage.
   *
   * `entry` says what the payloads are, in the caller's words; it is stored in the same file, and durable with them. Nothing is
   * stored before it resolves, nor when it rejects.
   */
  append(payloads: readonly Uint8Array[], at: PayloadPlace & { entry?: Promise<Uint8Array> }): Promise<PayloadRef[]>;
  /** The oldest day first. */
  listFiles(): Promise<PayloadFile[]>;
  /** The entries of a file from an offset on (0, or an `endOffset`); nothing when the file is gone. */
  readLog(fileId: number, fromOffset: number): AsyncIterable<PayloadLogPart>;
  /**
   * Adds entries to a file of an earlier version that no instance adds to any more, behind its payloads. `describe` gets those that no
   * entry names, some hundred at a time, and gives an entry of each range. References stay. The file is replaced as a whole: a crash leaves
   * the old one or the new one. Gives the number of payloads; 0 leaves the file as it is.
   *
   * @param reserveBytes what the disk must have free beside the copy. @throws when it has not
   */
  addEntries(
    fileId: number,
    describe: (range: PayloadRange) => Promise<Uint8Array>,
    options: { reserveBytes: number; signal?: AbortSignal; pause?: () => Promise<void> },
  ): Promise<number>;
  /** Null when retention has dropped the file. @throws {DamagedPayloadError} */
  read(ref: PayloadRef): Promise<Uint8Array | null>;
  /** Appends from now on go to files that do not exist yet: those that do are never added to by this instance. */
  seal(): Promise<void>;
  /**
   * Erases payloads of a file that no instance adds to any more, and what its entries say of them; `decide` gets each entry, and gives
   * null where all of it stays. What stays is read by the references that it has. Of the erased, empty payloads remain. The file is
   * replaced as a whole: a crash leaves the old one or the new one. Gives how many were erased; 0 leaves the file as it is.
   */
  erase(
    fileId: number,
    decide: (entry: Uint8Array) => Promise<ErasedAppend | null>,
    options?: { signal?: AbortSignal; pause?: () => Promise<void> },
  ): Promise<number>;
  /**
   * The same with other payloads in the place of some. `decide` gets each entry and where its payloads lie, as `readLog` does.
   *
   * @param reserveBytes what the disk must have free beside the new file. @throws when it has not
   * @throws {DamagedPayloadError} when a block of it cannot be read: then the file stays as it is
   */
  rewrite(
    fileId: number,
    decide: (entry: Uint8Array, refOf: (place: number) => PayloadRef) => Promise<RewrittenAppend | null>,
    options: { reserveBytes: number; signal?: AbortSignal; pause?: () => Promise<void> },
  ): Promise<number>;
  /**
   * Drops the days that end before the instant of their signal; gives the number of bytes freed. A file that holds every signal
   * goes with the last of them.
   */
  dropBefore(cutoffs: Cutoffs): Promise<number>;
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}
