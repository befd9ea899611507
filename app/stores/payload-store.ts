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

/** The bytes that are too large for a table: event JSON, attachments, recordings. Append-only, dropped by the day. */
export interface PayloadStore {
  /**
   * Compresses the payloads together (in blocks of a size that the engine chooses) and resolves once they would survive
   * the process dying. What a crash leaves behind unreferenced is waste, never damage.
   */
  append(payloads: readonly Uint8Array[], at: { receivedAt: number }): Promise<PayloadRef[]>;
  /** Null when retention has dropped the file. @throws when the block is damaged. */
  read(ref: PayloadRef): Promise<Uint8Array | null>;
  /** Drops whole days before this instant; gives the number of bytes freed. */
  dropBefore(instantMs: number): Promise<number>;
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}
