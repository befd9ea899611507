import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalLog, JournalRecord } from "../../app/journal/journal.ts";
import { type JournalOptions, openJournal } from "../../app/journal/open-journal.ts";
import { openJournalReader } from "../../app/journal/open-journal-reader.ts";

export interface JournalFolder extends Disposable {
  dir: string;
  /** Messages of warnings and errors. */
  logged: string[];
  log: JournalLog;
}

/** A folder that goes with the test. */
export function createJournalFolder(): JournalFolder {
  const dir = mkdtempSync(join(tmpdir(), "culprit-journal-"));
  const logged: string[] = [];
  const log = {
    info: () => {},
    warn: (_facts: object, message: string) => void logged.push(message),
    error: (_facts: object, message: string) => void logged.push(message),
  };
  return { dir, logged, log, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Appends each text as a record of its own, one after the other, and closes the journal. */
export async function fillJournal(
  folder: JournalFolder,
  texts: readonly string[],
  options: Partial<JournalOptions> = {},
): Promise<number[]> {
  const journal = await openJournal({ ...folder, ...options });
  const sequences: number[] = [];
  for (const text of texts) sequences.push(await journal.append([Buffer.from(text)]));
  await journal.close();
  return sequences;
}

/** Opens the journal anew, as a process does after a crash, and reads all that is in it. */
export async function reopenAndRead(folder: JournalFolder): Promise<Array<[sequence: number, text: string]>> {
  const journal = await openJournal(folder);
  const reader = await openJournalReader({ ...folder, fromSequence: 0 });
  try {
    const found: JournalRecord[] = [];
    while (reader.nextSequence < journal.durable.sequence) {
      found.push(...(await reader.read(journal.durable, { maxRecords: 100, maxBytes: 1024 * 1024 })));
    }
    return found.map(({ sequence, bytes }) => [sequence, Buffer.from(bytes).toString()]);
  } finally {
    await reader.close();
    await journal.close();
  }
}
