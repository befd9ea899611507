import { type FileHandle, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { type FoundJournal, findJournals } from "../journal/find-journals.ts";
import { listSegments } from "../journal/segment-files.ts";
import { ignoreMissing } from "../missing-file.ts";
import { copyBytes, makeFolderOf } from "./copy-file.server.ts";
import type { ManifestFile } from "./manifest.server.ts";

interface OpenSegment {
  /** Path below the folder of the journals. */
  path: string;
  file: FileHandle;
  bytes: number;
}

/** The segments of the journals as they were at a moment: they stay readable when the server deletes them. */
export class JournalSnapshot {
  readonly #dir: string;
  readonly #segments: OpenSegment[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws when there is no journal. */
  async find(): Promise<readonly [FoundJournal, ...FoundJournal[]]> {
    const [first, ...others] = await findJournals(this.#dir);
    if (first === undefined) throw new Error(`there is no journal in ${this.#dir}`);
    return [first, ...others];
  }

  /** Fixes the moment. A segment that goes meanwhile is one that every store has applied. */
  async take(): Promise<void> {
    for (const { dir, folder } of await findJournals(this.#dir)) {
      for (const { path } of await listSegments(dir)) {
        const file = await ignoreMissing(open(path, "r"));
        if (!file) continue;
        this.#segments.push({ path: folder + basename(path), file, bytes: (await file.stat()).size });
      }
    }
  }

  /** Copies the noted files into `journal/` of the target. The last record may be unfinished, as after a crash. */
  async copyTo(target: string): Promise<ManifestFile[]> {
    const files: ManifestFile[] = [];
    for (const { path: below, file, bytes } of this.#segments) {
      const path = `journal/${below}`;
      await makeFolderOf(join(target, path));
      files.push({ path, ...(await copyBytes(file, join(target, path), bytes)), source: null });
    }
    return files;
  }

  async close(): Promise<void> {
    await Promise.all(this.#segments.splice(0).map(({ file }) => file.close()));
  }
}
