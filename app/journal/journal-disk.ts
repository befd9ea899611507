import { constants, fstatSync } from "node:fs";
import { type FileHandle, mkdir, open, stat, statfs, unlink } from "node:fs/promises";
import { ignoreMissing } from "../missing-file.ts";

/** The calls with which a journal changes the disk. An argument of `openJournal`, so that tests can let them fail. */
export interface JournalDisk {
  /** Makes an empty file, or empties an existing one. */
  createSegment(path: string): Promise<SegmentFile>;
  openSegment(path: string): Promise<SegmentFile>;
  deleteSegment(path: string): Promise<void>;
  /** Makes new and renamed files of the folder survive a loss of power. */
  syncFolder(dir: string): Promise<void>;
  /** Bytes that may still be written on the folder's disk. */
  freeBytes(dir: string): Promise<number>;
}

export interface SegmentFile {
  /** Writes all of it, or rejects. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>;
  /** Resolves when written bytes would survive a loss of power. */
  sync(): Promise<void>;
  truncate(bytes: number): Promise<void>;
  /** Whether it is what the path leads to. A file that was moved or deleted takes writes like any other. */
  isAt(path: string): Promise<boolean>;
  /** Whether it is still in a folder. Cheap enough for each write; a file that was moved is found by `isAt` alone. */
  hasName(): boolean;
  close(): Promise<void>;
}

/**
 * On Linux, a write with this flag resolves once it is durable, as after `fdatasync`. That needs one call to another thread instead of two,
 * which are a tenth of the cost of an accepted event on the main thread. Elsewhere the flag means less or nothing.
 */
const DURABLE_WRITES = process.platform === "linux" ? constants.O_DSYNC : 0;

export const nodeJournalDisk: JournalDisk = {
  async createSegment(path) {
    const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
    return toSegmentFile(await open(path, O_WRONLY | O_CREAT | O_TRUNC | DURABLE_WRITES));
  },
  async openSegment(path) {
    return toSegmentFile(await open(path, constants.O_RDWR | DURABLE_WRITES));
  },
  deleteSegment: (path) => unlink(path),
  async syncFolder(dir) {
    const folder = await open(dir, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
  async freeBytes(dir) {
    const stats = await statfs(dir);
    return stats.bavail * stats.bsize;
  },
};

export async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
}

function toSegmentFile(file: FileHandle): SegmentFile {
  // The earlier writes to an opened file are unknown.
  let isDurable = false;
  return {
    async write(buffers, position) {
      let expected = 0;
      for (const buffer of buffers) expected += buffer.length;
      let written = (await file.writev(buffers, position)).bytesWritten;
      // When a disk fills up, one write is cut short, and the next one reports it.
      while (written < expected) {
        const { bytesWritten } = await file.writev(dropBytes(buffers, written), position + written);
        if (bytesWritten === 0) throw new Error("the disk took no more bytes, and did not say why");
        written += bytesWritten;
      }
    },
    async sync() {
      if (isDurable) return;
      await file.datasync();
      isDurable = DURABLE_WRITES !== 0;
    },
    async truncate(bytes) {
      isDurable = false;
      await file.truncate(bytes);
    },
    async isAt(path) {
      const found = await ignoreMissing(stat(path, { bigint: true }));
      const own = await file.stat({ bigint: true });
      return found?.ino === own.ino && found.dev === own.dev;
    },
    hasName: () => fstatSync(file.fd).nlink > 0,
    close: () => file.close(),
  };
}

function dropBytes(buffers: readonly Uint8Array[], count: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  let left = count;
  for (const buffer of buffers) {
    if (left < buffer.length) rest.push(buffer.subarray(left));
    left = Math.max(0, left - buffer.length);
  }
  return rest;
}
