import { MIB } from "../domain/bytes.ts";
import { recordSeed } from "../journal/record-format.ts";
import { checkSegmentHeader, findJournalId, listSegments } from "../journal/segment-files.ts";
import { type DamagedRange, SegmentReader } from "../journal/segment-reader.ts";
import { ignoreMissing } from "../stores/files/sharded-files.ts";

const LIMITS = {
  fromSequence: 0,
  belowSequence: Number.POSITIVE_INFINITY,
  maxRecords: Number.POSITIVE_INFINITY,
  maxBytes: 4 * MIB,
};

export interface JournalReport {
  journalId: string;
  /** Sequence of the first record that is there, and the sequence after the last one. Equal when there is none. */
  from: number;
  upTo: number;
  damage: Array<DamagedRange & { path: string }>;
}

/**
 * Reads every record of a journal and compares its checksum. Null when there is no journal.
 *
 * @throws when a segment belongs to another journal, or to a newer version.
 */
export async function scanJournal(dir: string): Promise<JournalReport | null> {
  const journalId = await ignoreMissing(findJournalId(dir));
  if (journalId === null) return null;
  const segments = await listSegments(dir);
  const first = segments[0]?.base ?? 0;
  const report: JournalReport = { journalId, from: first, upTo: first, damage: [] };
  for (const segment of segments) {
    await checkSegmentHeader(segment, journalId);
    const reader = await SegmentReader.open(segment, recordSeed(journalId));
    try {
      for (let isAtEnd = false; !isAtEnd; ) {
        const chunk = await reader.read(LIMITS);
        report.damage.push(...chunk.damage.map((range) => ({ ...range, path: segment.path })));
        isAtEnd = chunk.isAtEnd;
      }
      report.upTo = Math.max(report.upTo, reader.nextSequence);
    } finally {
      await reader.close();
    }
  }
  return report;
}
