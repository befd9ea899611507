import { type FileHandle, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { findJournalId, listSegments } from "../journal/segment-files.ts";
import { ignoreMissing } from "../stores/files/sharded-files.ts";
import { copyBytes, makeFolderOf } from "./copy-file.server.ts";
import type { ManifestFile } from "./manifest.server.ts";

interface OpenSegment {
  name: string;
  file: FileHandle;
  bytes: number;
}

/** The segments of a journal as they were at a moment: they stay readable when the server deletes them. */
export class JournalSnapshot {
  readonly #dir: string;
  readonly #segments: OpenSegment[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws when there is no journal. */
  async findId(): Promise<string> {
    const id = await ignoreMissing(findJournalId(this.#dir));
    if (id === null) throw new Error(`there is no journal in ${this.#dir}`);
    return id;
  }

  /** Fixes the moment. A segment that goes meanwhile is one that every store has applied. */
  async take(): Promise<void> {
    for (const { path } of await listSegments(this.#dir)) {
      const file = await ignoreMissing(open(path, "r"));
      if (!file) continue;
      this.#segments.push({ name: basename(path), file, bytes: (await file.stat()).size });
    }
  }

  /** Copies what was there, into `journal/` of the target. The last record may be one that was never finished, as after a crash. */
  async copyTo(target: string): Promise<ManifestFile[]> {
    const files: ManifestFile[] = [];
    for (const { name, file, bytes } of this.#segments) {
      const path = `journal/${name}`;
      await makeFolderOf(join(target, path));
      files.push({ path, ...(await copyBytes(file, join(target, path), bytes)), source: null });
    }
    return files;
  }

  async close(): Promise<void> {
    await Promise.all(this.#segments.splice(0).map(({ file }) => file.close()));
  }
}
