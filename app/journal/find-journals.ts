import { join } from "node:path";
import type { NumberedJournal } from "../domain/journal-positions.ts";
import { ignoreMissing } from "../missing-file.ts";
import { JOURNAL_PLACES } from "./journals.ts";
import { findJournalId } from "./segment-files.ts";

export interface FoundJournal extends NumberedJournal {
  dir: string;
  /** Folder below that of the first journal, with a trailing slash. Empty: it is the first journal. */
  folder: string;
}

/** The journals of a folder that no process has open, in their order. Versions before the bulk journal left only the first one. */
export async function findJournals(dir: string): Promise<FoundJournal[]> {
  const found: FoundJournal[] = [];
  for (const { folder, firstSequence } of JOURNAL_PLACES) {
    const own = join(dir, folder);
    const id = await ignoreMissing(findJournalId(own));
    if (id !== null) found.push({ id, firstSequence, dir: own, folder: folder === "" ? "" : `${folder}/` });
  }
  return found;
}
