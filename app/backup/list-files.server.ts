import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "../missing-file.ts";

/**
 * The parts of a data folder that a backup leaves out: files of a process, drafts, copies, and files that are made again when they are
 * missing. The state, the event database, payload files, day files and the journal's segments are copied as of one moment.
 */
const LEFT_OUT = [
  /^lock(-journal)?$/,
  /^control\.sock$/,
  /^state\.sqlite/,
  /^events\.duckdb/,
  /^events\.tmp\//,
  /^payloads\/.*\.payloads$/,
  /^days\/.*\.parquet$/,
  /^snapshots\//,
  /^damaged\//,
  /^source-map-pass\.json$/,
  /^chunks\/unfinished\//,
  /^journal\/(bulk\/)?\d{16}\.journal$/,
  /^journal\/set-aside\/attempt(-\d+)?$/,
  /\.new$/,
];

/** Files that only grow and are never overwritten: they may be linked. */
const LINKABLE = /^(payloads|days|blobs|chunks)\//;

export function isLinkable(path: string): boolean {
  return LINKABLE.test(path);
}

/** Paths below the folder, with slashes, of all files that are copied one by one. */
export async function* listFiles(dataDir: string, below = ""): AsyncGenerator<string> {
  const entries = (await ignoreMissing(readdir(join(dataDir, below), { withFileTypes: true }))) ?? [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below + entry.name;
    if (entry.isDirectory()) {
      if (!LEFT_OUT.some((pattern) => pattern.test(`${path}/`))) yield* listFiles(dataDir, `${path}/`);
    } else if (entry.isFile() && !LEFT_OUT.some((pattern) => pattern.test(path))) yield path;
  }
}
