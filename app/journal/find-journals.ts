import { join } from "node:path";
import type { NumberedJournal } from "../domain/journal-positions.ts";
import { JOURNAL_PLACES } from "./journals.ts";
import { findJournalId, isMissing } from "./segment-files.ts";

export interface FoundJournal extends NumberedJournal {
  dir: string;
  /** Below the folder of the first one, with a slash at its end; empty: it is the first one. */
  folder: string;
}

/** The journals of a folder that nobody has opened, in their order. A version before bulk had its own has left only the first one. */
export async function findJournals(dir: string): Promise<FoundJournal[]> {
  const found: FoundJournal[] = [];
  for (const { folder, firstSequence } of JOURNAL_PLACES) {
    const own = join(dir, folder);
    const id = await findJournalId(own).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (id !== null) found.push({ id, firstSequence, dir: own, folder: folder === "" ? "" : `${folder}/` });
  }
  return found;
}
