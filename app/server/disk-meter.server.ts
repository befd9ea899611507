import { opendir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DiskUse } from "./metrics.server.ts";

/** A folder of many uploads has thousands of files: looking at them takes at most this share of the time. */
const MAX_BUSY_SHARE = 0.02;
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 10_000;

/** The parts that Culprit keeps there. Anything else is `other`. */
const PARTS: ReadonlySet<string> = new Set([
  "journal",
  "state",
  "events",
  "payloads",
  "days",
  "blobs",
  "chunks",
  "snapshots",
  "damaged",
]);

export interface DiskMeter {
  /** The folder is measured again after some time, depending on how long it takes; the disk is always measured. */
  read(): Promise<DiskUse>;
  /** The next `read` measures the folder. */
  forget(): void;
}

/** Measures a data folder when it is asked. `now`: milliseconds that never go back. */
export function createDiskMeter(dataDir: string, now: () => number = () => performance.now()): DiskMeter {
  let measured: { partBytes: Promise<Map<string, number>>; until: number } | null = null;

  function measure(): Promise<Map<string, number>> {
    const startedAt = now();
    const own = { partBytes: measureParts(dataDir), until: Number.POSITIVE_INFINITY };
    measured = own;
    return own.partBytes.finally(() => {
      own.until = now() + Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, (now() - startedAt) / MAX_BUSY_SHARE));
    });
  }

  return {
    async read() {
      const partBytes = measured === null || now() >= measured.until ? measure() : measured.partBytes;
      // If the folder is missing, everything else can still be measured.
      const disk = await statfs(dataDir).catch(() => ({ bavail: Number.NaN, blocks: Number.NaN, bsize: 1 }));
      return { partBytes: await partBytes, freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
    },
    forget() {
      measured = null;
    },
  };
}

export function sumBytes({ partBytes }: Pick<DiskUse, "partBytes">): number {
  return [...partBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes on disk by the first part of the file name: `events` for `events.duckdb` and the files beside it. */
async function measureParts(dataDir: string): Promise<Map<string, number>> {
  const parts = new Map<string, number>();
  const folder = await opendir(dataDir).catch(() => null);
  if (folder === null) return parts;
  for await (const entry of folder) {
    const path = join(dataDir, entry.name);
    const name = entry.name.split(".", 1)[0] ?? "";
    const part = PARTS.has(name) ? name : "other";
    const bytes = entry.isDirectory() ? await measureFolder(path) : await measureFile(path);
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  return parts;
}

/**
 * Files are read one after the other, because the same threads also write the journal. A file that is gone, or that this process may not
 * read, counts 0.
 */
async function measureFolder(dir: string): Promise<number> {
  let bytes = 0;
  const folder = await opendir(dir).catch(() => null);
  if (folder === null) return 0;
  for await (const entry of folder) {
    const path = join(dir, entry.name);
    bytes += entry.isDirectory() ? await measureFolder(path) : await measureFile(path);
  }
  return bytes;
}

/** Counts blocks of 512 bytes: the size of a file may be larger than the space it takes on the disk. */
async function measureFile(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return (found?.blocks ?? 0) * 512;
}
