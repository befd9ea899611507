import { chmod, open } from "node:fs/promises";
import { backup, DatabaseSync } from "node:sqlite";
import { nameFile } from "./copy-file.server.ts";

/** Pages of the database. A step takes a few milliseconds of a thread. */
const PAGES_PER_STEP = 1_000;

/** A moment of the state database that stays readable, however the database changes. */
export class StateSnapshot {
  readonly #database: DatabaseSync;

  /** @throws when there is no state database. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  }

  /** Fixes the moment. */
  take(): void {
    this.#database.exec("BEGIN");
    // The first read fixes the version of the database that a transaction sees.
    this.#database.prepare("SELECT count(*) FROM sqlite_schema").get();
  }

  /** See `DataFolderRecord`. Null where the server was never started, and in state of versions that did not have it. */
  folderId(): string | null {
    const isKnown = this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'data_folder'").get();
    if (!isKnown) return null;
    const row = this.#database.prepare("SELECT folder_id FROM data_folder").get();
    return row ? String(row.folder_id) : null;
  }

  appliedSequence(journalId: string): number {
    const row = this.#database.prepare("SELECT sequence FROM journal_positions WHERE journal_id = ?").get(journalId);
    return row ? Number(row.sequence) : 0;
  }

  /** Copies it by SQLite's own backup, beside readers and writers. Durable when it resolves. @throws when the copy is not whole. */
  async copyTo(target: string): Promise<void> {
    try {
      await backup(this.#database, target, { rate: PAGES_PER_STEP });
      await finishState(target);
    } catch (error) {
      throw nameFile(error, target);
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** Makes the copy complete by itself, without the log that SQLite keeps beside a database in use. */
async function finishState(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA journal_mode = delete");
    const problems = findStateProblems(database);
    if (problems.length > 0) throw new Error(`the copy of the state database is damaged: ${problems.join("; ")}`);
  } finally {
    database.close();
  }
  await chmod(path, 0o600);
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Faults that SQLite finds in a database; empty when it is whole. */
export function findStateProblems(database: DatabaseSync): string[] {
  const rows = database.prepare("PRAGMA integrity_check(20)").all();
  const texts = rows.map((row) => String(Object.values(row)[0]));
  return texts.length === 1 && texts[0] === "ok" ? [] : texts;
}
