import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { dataPaths } from "../app/data-folder/data-paths.ts";

/** Bytes that the parts of a data folder take on the disk; with what lies beside a database of its name (`-wal`, `.wal`). */
export interface DataFolderSize {
  payloads: number;
  events: number;
  state: number;
  journal: number;
  other: number;
}

export function measureDataFolder(dataDir: string): DataFolderSize {
  const paths = dataPaths(dataDir);
  const size: DataFolderSize = { payloads: 0, events: 0, state: 0, journal: 0, other: 0 };
  for (const { path, bytes } of listFiles(dataDir)) {
    if (path.startsWith(paths.payloads)) size.payloads += bytes;
    else if (path.startsWith(paths.events)) size.events += bytes;
    else if (path.startsWith(paths.state)) size.state += bytes;
    else if (path.startsWith(paths.journal)) size.journal += bytes;
    else size.other += bytes;
  }
  return size;
}

function listFiles(folder: string): Array<{ path: string; bytes: number }> {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      // What is allocated, which is more than the length for small files, and less for sparse ones.
      return { path, bytes: statSync(path).blocks * 512 };
    });
}
