import { MIB } from "../domain/bytes.ts";
import type { JournalLog } from "./journal.ts";
import type { JournalDisk, SegmentFile } from "./journal-disk.ts";
import { encodeSegmentHeader, RECORD_HEADER_BYTES, readRecordHeader, SEGMENT_HEADER_BYTES } from "./record-format.ts";
import type { SegmentName } from "./segment-files.ts";
import { SegmentReader } from "./segment-reader.ts";

export interface RecoveredSegment {
  /** Null when the next record belongs into a new segment. */
  file: SegmentFile | null;
  /** Length of the file. */
  bytes: number;
  nextSequence: number;
  tornBytes: number;
}

const SCAN_LIMITS = {
  fromSequence: 0,
  belowSequence: Number.POSITIVE_INFINITY,
  maxRecords: Number.POSITIVE_INFINITY,
  maxBytes: 4 * MIB,
};

/**
 * Prepares the last segment for appends. Cuts off a record that a crash left half written, and makes everything else durable, because a
 * process that died may have written records without syncing them.
 */
export async function recoverSegment(
  segment: SegmentName,
  journal: { id: string; seed: number },
  disk: JournalDisk,
  log: JournalLog,
): Promise<RecoveredSegment> {
  const { size, bytes, nextSequence, isTorn } = await findEnd(segment, journal.seed);
  if (bytes < size && !isTorn) {
    // A crash cannot cause this, so it may have been an acknowledged record. The reader sets the bytes aside, and their sequence is not
    // used again.
    log.error({ offset: bytes, length: size - bytes, path: segment.path }, "the journal ends with a damaged record");
    return { file: null, bytes: size, nextSequence: nextSequence + 1, tornBytes: 0 };
  }
  const file = await disk.openSegment(segment.path);
  try {
    if (bytes < size) {
      await file.truncate(bytes);
      log.warn({ tornBytes: size - bytes, path: segment.path }, "the torn tail of the journal is cut");
    }
    if (bytes < SEGMENT_HEADER_BYTES) await file.write([encodeSegmentHeader(journal.id, segment.base)], 0);
    await file.sync();
  } catch (error) {
    await file.close();
    throw error;
  }
  return { file, bytes: Math.max(bytes, SEGMENT_HEADER_BYTES), nextSequence, tornBytes: size - bytes };
}

/** Finds the end of the last whole record, and whether the bytes behind it are the beginning of an unfinished record. */
async function findEnd(
  segment: SegmentName,
  seed: number,
): Promise<{ size: number; bytes: number; nextSequence: number; isTorn: boolean }> {
  const reader = await SegmentReader.open(segment, seed);
  try {
    const size = await reader.size();
    if (size < SEGMENT_HEADER_BYTES) return { size, bytes: 0, nextSequence: segment.base, isTorn: true };
    let chunk = await reader.read(SCAN_LIMITS);
    while (!chunk.isAtEnd) chunk = await reader.read(SCAN_LIMITS);
    const isTorn =
      size - reader.offset < RECORD_HEADER_BYTES ||
      readRecordHeader(await reader.peek(RECORD_HEADER_BYTES), 0, seed) !== null;
    return { size, bytes: reader.offset, nextSequence: reader.nextSequence, isTorn };
  } finally {
    await reader.close();
  }
}
