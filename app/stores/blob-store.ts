/** Large files that are written once: uploads. Keys are lower-case hex (a checksum). */
export interface BlobStore {
  /** Moves a local file into the store, durably. After a crash, the blob is there whole or not at all. Idempotent. */
  putFile(key: string, path: string): Promise<void>;
  /** Null when there is none. The reader must be closed, and reads on while the blob is deleted. */
  open(key: string): Promise<BlobReader | null>;
  delete(key: string): Promise<void>;
  bytesOnDisk(): Promise<number>;
}

export interface BlobReader {
  readonly bytes: number;
  /** Fewer bytes than asked for only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}
