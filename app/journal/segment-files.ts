import { randomBytes } from "node:crypto";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../durable-file.ts";
import { ignoreMissing } from "../missing-file.ts";
import { FORMAT_VERSION, readSegmentHeader, SEGMENT_HEADER_BYTES } from "./record-format.ts";

export interface SegmentName {
  path: string;
  /** Sequence of its first record. */
  base: number;
}

const SEGMENT_NAME = /^(\d{16})\.journal$/;
const ID_FILE = "id";

export function segmentPath(dir: string, base: number): string {
  return join(dir, `${padSequence(base)}.journal`);
}

export function padSequence(sequence: number): string {
  return String(sequence).padStart(16, "0");
}

/** Oldest first. */
export async function listSegments(dir: string): Promise<SegmentName[]> {
  const segments: SegmentName[] = [];
  for (const name of await readdir(dir)) {
    const match = SEGMENT_NAME.exec(name);
    if (match) segments.push({ path: join(dir, name), base: Number(match[1]) });
  }
  return segments.sort((a, b) => a.base - b.base);
}

/** The journal's id. Null when the folder contains no journal yet. @throws if a newer Culprit wrote its segments. */
export async function findJournalId(dir: string): Promise<string | null> {
  const stored = await readIdFile(dir);
  if (stored !== null) return stored;
  for (const segment of await listSegments(dir)) {
    const header = await readSegmentHeaderOf(segment.path);
    if (header !== null) return header.journalId;
  }
  return null;
}

/** Makes the id of a new journal, or keeps the one that its segments name. */
export async function writeJournalId(dir: string, known: string | null): Promise<string> {
  const id = known ?? randomBytes(8).toString("hex");
  await replaceFile(join(dir, ID_FILE), `${id}\n`);
  return id;
}

async function readIdFile(dir: string): Promise<string | null> {
  const text = (await ignoreMissing(readFile(join(dir, ID_FILE), "utf8")))?.trim() ?? "";
  return /^[0-9a-f]{16}$/.test(text) ? text : null;
}

/** Null when the header is damaged or cut. @throws if a newer Culprit wrote it. */
async function readSegmentHeaderOf(path: string): Promise<{ journalId: string } | null> {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
    const { bytesRead } = await file.read(bytes, 0, SEGMENT_HEADER_BYTES, 0);
    const header = readSegmentHeader(bytes.subarray(0, bytesRead));
    if (header !== null && header.version > FORMAT_VERSION) {
      throw new Error(`${path} was written by a newer version of Culprit (journal format ${header.version})`);
    }
    return header;
  } finally {
    await file.close();
  }
}

/** @throws if the segment belongs to another journal, or to a newer Culprit. A damaged header is accepted. */
export async function checkSegmentHeader(segment: SegmentName, journalId: string): Promise<void> {
  const header = await readSegmentHeaderOf(segment.path);
  if (header !== null && header.journalId !== journalId) {
    throw new Error(`${segment.path} belongs to journal ${header.journalId}, not to ${journalId}`);
  }
}
