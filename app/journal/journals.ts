import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../durable-file.ts";
import type { Journal, JournalStats } from "./journal.ts";
import { DEFAULT_JOURNAL_LIMITS, type JournalOptions, openJournal } from "./open-journal.ts";

/**
 * The two journals of a folder. Data that people and alerts wait for has its own journal, so that it is accepted and digested while earlier
 * bulk waits (decision 097). Each journal numbers, applies and releases its own records.
 */
export interface Journals {
  express: Journal;
  bulk: Journal;
}

/** In the order in which they are digested. */
export function listJournals({ express, bulk }: Journals): readonly [express: Journal, bulk: Journal] {
  return [express, bulk];
}

/** The folder of each journal, relative to that of the first one, and its first sequence, in the order of `listJournals`. */
export const JOURNAL_PLACES = [
  { folder: "", firstSequence: 0 },
  // Higher than any sequence of the first journal: a thousand records a second take more than three hundred years.
  { folder: "bulk", firstSequence: 10_000_000_000_000 },
] as const;

export const BULK_PLACE = JOURNAL_PLACES[1];

/** The share of the waiting bytes that bulk may take. The rest is for the other journal. */
const BULK_SHARE = 7 / 8;

/** Opens both journals like `openJournal`. The limit of waiting bytes counts for both together. */
export async function openJournals(
  options: Omit<JournalOptions, "firstSequence" | "backlogBeside">,
): Promise<Journals> {
  const { maxBacklogBytes = DEFAULT_JOURNAL_LIMITS.maxBacklogBytes } = options;
  const express = await openJournal({ ...options, backlogBeside: () => bulk?.backlogBytes ?? 0 });
  let bulk: Journal | undefined;
  try {
    const dir = join(options.dir, BULK_PLACE.folder);
    await mkdir(dir, { recursive: true });
    await syncFolder(dirname(dir));
    bulk = await openJournal({
      ...options,
      dir,
      firstSequence: BULK_PLACE.firstSequence,
      maxBacklogBytes: maxBacklogBytes * BULK_SHARE,
      backlogBeside: () => express.backlogBytes,
    });
    return { express, bulk };
  } catch (error) {
    await express.close();
    throw error;
  }
}

/** The sums over both journals. */
export function sumStats(
  journals: Journals,
): Pick<JournalStats, "backlogRecords" | "backlogBytes" | "oldestWaitsSince"> {
  const [express, bulk] = [journals.express.stats(), journals.bulk.stats()];
  const since = [express, bulk].flatMap(({ oldestWaitsSince }) => oldestWaitsSince ?? []);
  return {
    backlogRecords: express.backlogRecords + bulk.backlogRecords,
    backlogBytes: express.backlogBytes + bulk.backlogBytes,
    oldestWaitsSince: since.length === 0 ? null : Math.min(...since),
  };
}
