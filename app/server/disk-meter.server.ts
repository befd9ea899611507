import { opendir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DiskUse } from "./metrics.server.ts";

/** A folder of many uploads has thousands of files: they are looked at no more often. */
const MEASURE_EVERY_MS = 60_000;

/** The parts that Culprit keeps there. Anything else is `other`. */
const PARTS: ReadonlySet<string> = new Set(["journal", "state", "events", "payloads", "blobs", "chunks"]);

/** Measures a data folder when it is asked, its files at most once a minute. `now`: milliseconds that never go back. */
export function createDiskMeter(dataDir: string, now: () => number = () => performance.now()): () => Promise<DiskUse> {
  let measured: { at: number; partBytes: Promise<Map<string, number>> } | null = null;
  return async () => {
    if (measured === null || now() - measured.at >= MEASURE_EVERY_MS) {
      measured = { at: now(), partBytes: measureParts(dataDir) };
    }
    // Without the folder, everything else can still be told.
    const disk = await statfs(dataDir).catch(() => ({ bavail: Number.NaN, blocks: Number.NaN, bsize: 1 }));
    const partBytes = await measured.partBytes;
    return { partBytes, freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
  };
}

/** Bytes on disk by the first part of the name of what lies in the folder: `events` for `events.duckdb` and what is beside it. */
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

/** One file after another: the threads that do this also write the journal. Gone meanwhile, or nobody may look: 0. */
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

/** Blocks of 512 bytes: a file may be larger than what it takes of the disk. */
async function measureFile(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return (found?.blocks ?? 0) * 512;
}
