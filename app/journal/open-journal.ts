import { stat } from "node:fs/promises";
import { MIB } from "../domain/bytes.ts";
import { countBadRecords } from "./bad-records.ts";
import { FileJournal, type JournalLimits, type Segment } from "./file-journal.ts";
import type { Journal, JournalLog } from "./journal.ts";
import { type JournalDisk, makeFolder, nodeJournalDisk, type SegmentFile } from "./journal-disk.ts";
import { recordSeed } from "./record-format.ts";
import { recoverSegment } from "./recover-segment.ts";
import { checkSegmentHeader, findJournalId, listSegments, writeJournalId } from "./segment-files.ts";

export interface JournalOptions extends Partial<JournalLimits> {
  dir: string;
  log: JournalLog;
  /**
   * How far a store has applied this journal. New records get higher sequences. Otherwise, if a disk lost the journal's end, they would be
   * taken for applied records.
   */
  appliedSequence?: (journalId: string) => Promise<number>;
  /** See `Journal.firstSequence`. */
  firstSequence?: number;
  /** Waiting bytes of other journals that count against `maxBacklogBytes`, too. */
  backlogBeside?: () => number;
  disk?: JournalDisk;
}

export const DEFAULT_JOURNAL_LIMITS: JournalLimits = {
  segmentBytes: 64 * MIB,
  maxBacklogBytes: 8 * 1024 * MIB,
  minFreeDiskBytes: 512 * MIB,
  maxQueuedBytes: 64 * MIB,
  watchIntervalMs: 1000,
};

/**
 * Opens the journal of a folder, or makes one. The caller makes sure that nothing else writes there.
 *
 * @throws if the folder cannot be written, or a newer Culprit wrote its journal.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { dir, log, disk = nodeJournalDisk, firstSequence = 0 } = options;
  await makeFolder(dir);
  const id = await writeJournalId(dir, await findJournalId(dir));
  const seed = recordSeed(id);

  const segments: Segment[] = [];
  const writtenAt = new Map<number, number>();
  for (const name of await listSegments(dir)) {
    await checkSegmentHeader(name, id);
    const { size, mtimeMs } = await stat(name.path);
    segments.push({ ...name, bytes: size });
    writtenAt.set(name.base, mtimeMs);
  }

  let file: SegmentFile | null = null;
  let nextSequence = firstSequence;
  let tornBytes = 0;
  const last = segments.at(-1);
  if (last) {
    const recovered = await recoverSegment(last, { id, seed }, disk, log);
    last.bytes = recovered.bytes;
    ({ file, nextSequence, tornBytes } = recovered);
  }
  await disk.syncFolder(dir);

  const applied = Math.max(firstSequence, (await options.appliedSequence?.(id)) ?? 0);
  if (applied > nextSequence) {
    log.error({ applied, nextSequence }, "the journal has lost its end: it goes on behind what was applied");
    await file?.close();
    file = null;
    nextSequence = applied;
  }
  return new FileJournal({
    id,
    firstSequence,
    seed,
    dir,
    log,
    disk,
    limits: {
      segmentBytes: options.segmentBytes ?? DEFAULT_JOURNAL_LIMITS.segmentBytes,
      maxBacklogBytes: options.maxBacklogBytes ?? DEFAULT_JOURNAL_LIMITS.maxBacklogBytes,
      minFreeDiskBytes: options.minFreeDiskBytes ?? DEFAULT_JOURNAL_LIMITS.minFreeDiskBytes,
      maxQueuedBytes: options.maxQueuedBytes ?? DEFAULT_JOURNAL_LIMITS.maxQueuedBytes,
      watchIntervalMs: options.watchIntervalMs ?? DEFAULT_JOURNAL_LIMITS.watchIntervalMs,
    },
    segments,
    file,
    nextSequence,
    applied,
    backlogSince: writtenAt.get(segments.findLast(({ base }) => base <= applied)?.base ?? 0) ?? Date.now(),
    backlogBeside: options.backlogBeside ?? (() => 0),
    tornBytes,
    freeBytes: await disk.freeBytes(dir),
    badRecordCount: await countBadRecords(dir),
  });
}
