import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../durable-file.ts";
import type { Journal, JournalStats } from "./journal.ts";
import { DEFAULT_JOURNAL_LIMITS, type JournalOptions, openJournal } from "./open-journal.ts";

/**
 * The two journals of a folder. What people and alerts wait for has one of its own, so that it is digested, and accepted, while bulk that
 * came earlier waits (decision 097). Each numbers its records, and is applied and released, by itself.
 */
export interface Journals {
  express: Journal;
  bulk: Journal;
}

/** In the order in which they are digested. */
export function listJournals({ express, bulk }: Journals): readonly [express: Journal, bulk: Journal] {
  return [express, bulk];
}

/** Where journals lie in the folder of the first one, and with which sequence each begins, in the order of `listJournals`. */
export const JOURNAL_PLACES = [
  { folder: "", firstSequence: 0 },
  // More records than a thousand a second in three hundred years.
  { folder: "bulk", firstSequence: 10_000_000_000_000 },
] as const;

export const BULK_PLACE = JOURNAL_PLACES[1];

/** Of the bytes that may wait, bulk takes no more: what is left is for the other journal. */
const BULK_SHARE = 7 / 8;

/** As `openJournal`; the limit of bytes that wait holds for both together. */
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

/** Of both together. */
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
