import { MIB } from "../domain/bytes.ts";
import { type FoundJournal, findJournals } from "../journal/find-journals.ts";
import { recordSeed } from "../journal/record-format.ts";
import { checkSegmentHeader, listSegments } from "../journal/segment-files.ts";
import { type DamagedRange, SegmentReader } from "../journal/segment-reader.ts";

const LIMITS = {
  fromSequence: 0,
  belowSequence: Number.POSITIVE_INFINITY,
  maxRecords: Number.POSITIVE_INFINITY,
  maxBytes: 4 * MIB,
};

export interface JournalReport extends FoundJournal {
  /** Sequence of the first record, and the sequence after the last one. Equal when there is no record. */
  from: number;
  upTo: number;
  damage: Array<DamagedRange & { path: string }>;
}

/**
 * Reads every record of the journals of a folder, and compares its checksum. Empty when there are no journals.
 *
 * @throws if a segment belongs to another journal, or to a newer version.
 */
export async function scanJournals(dir: string): Promise<JournalReport[]> {
  const reports: JournalReport[] = [];
  for (const journal of await findJournals(dir)) reports.push(await scanJournal(journal));
  return reports;
}

async function scanJournal(journal: FoundJournal): Promise<JournalReport> {
  const { id: journalId, dir, firstSequence } = journal;
  const segments = await listSegments(dir);
  const first = segments[0]?.base ?? firstSequence;
  const report: JournalReport = { ...journal, from: first, upTo: first, damage: [] };
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
