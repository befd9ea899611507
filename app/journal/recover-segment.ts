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
 * Makes the last segment one that can be appended to: what a crash left half written is cut off, and all that stays is
 * made durable, because a process that died may have written records that it had not synced.
 */
export async function recoverSegment(
  segment: SegmentName,
  journal: { id: string; seed: number },
  disk: JournalDisk,
  log: JournalLog,
): Promise<RecoveredSegment> {
  const { size, bytes, nextSequence, isTorn } = await findEnd(segment, journal.seed);
  if (bytes < size && !isTorn) {
    // No crash leaves this, so it may have been a record that was acknowledged. The reader sets the bytes aside, and
    // the sequence that they had is not given again.
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

/** Where the last whole record ends, and whether what follows is the beginning of a record that was never finished. */
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
