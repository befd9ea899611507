import { mkdir, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { MIB } from "../domain/bytes.ts";
import { ignoreMissing } from "../missing-file.ts";
import { padSequence } from "./segment-files.ts";

/** Bytes of a segment that hold `recordCount` records which cannot be read, the first of them with this sequence. */
export interface BadRange {
  segmentPath: string;
  offset: number;
  length: number;
  sequence: number;
  recordCount: number;
}

const FOLDER = "bad";
const NAME = /^\d{16}-(\d+)\.bytes$/;
const COPY_BYTES = MIB;

/** Copies the bytes to a file for the operator. The same range again writes the same file, and counts once. */
export async function setAsideBadRange(dir: string, range: BadRange): Promise<string> {
  const folder = join(dir, FOLDER);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${padSequence(range.sequence)}-${range.recordCount}.bytes`);
  const source = await open(range.segmentPath, "r");
  try {
    const target = await open(`${path}.new`, "w");
    try {
      const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, Math.max(1, range.length)));
      for (let at = 0; at < range.length; ) {
        const wanted = Math.min(buffer.length, range.length - at);
        const { bytesRead } = await source.read(buffer, 0, wanted, range.offset + at);
        if (bytesRead === 0) break;
        await target.write(buffer, 0, bytesRead, at);
        at += bytesRead;
      }
      await target.datasync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  await rename(`${path}.new`, path);
  return path;
}

/** The number of records that were set aside since the folder was made. */
export async function countBadRecords(dir: string): Promise<number> {
  const names = (await ignoreMissing(readdir(join(dir, FOLDER)))) ?? [];
  return names.reduce((count, name) => count + Number(NAME.exec(name)?.[1] ?? 0), 0);
}
