import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile, syncFolder } from "../../durable-file.ts";
import { findSize } from "../../missing-file.ts";
import { readPrepared } from "../sql/prepared-databases.ts";
import { SqliteConnection } from "./connection.ts";
import { migrate, readStateMigrations } from "./migrate.ts";

/** The state database's record of its data folder. */
export interface DataFolderRecord {
  /** Null before the first start with a version that knows ids. */
  folderId: string | null;
  /** Whether the journal, the payload files and the blobs carry the id, too. */
  isComplete: boolean;
  /** How far each journal is applied (exclusive), by its id. If there is one, the other stores contain events of this database. */
  applied: ReadonlyMap<string, number>;
}

/**
 * Reads the database in its present version, without a migration.
 *
 * @returns null when the file is missing, or has no tables yet
 */
export async function readDataFolderRecord(path: string): Promise<DataFolderRecord | null> {
  if (!(await findSize(path))) return null;
  const db = await SqliteConnection.open({ path });
  try {
    const tables = new Set(
      db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name),
    );
    if (tables.size === 0) return null;
    const row = tables.has("data_folder")
      ? db.get<{ folder_id: string; is_complete: number }>("SELECT folder_id, is_complete FROM data_folder")
      : undefined;
    return {
      folderId: row?.folder_id ?? null,
      isComplete: row?.is_complete === 1,
      applied: new Map(
        tables.has("journal_positions")
          ? db
              .all<{ journal_id: string; sequence: number }>("SELECT journal_id, sequence FROM journal_positions")
              .map(({ journal_id, sequence }) => [journal_id, sequence])
          : [],
      ),
    };
  } finally {
    db.close();
  }
}

/**
 * Makes the database if it is missing, and migrates it to the newest schema. It is durable when this resolves. The caller holds the lock of
 * the data folder, so that no other process makes one at the same time.
 *
 * @param preparedIn folder of prepared databases to start from. Absent: the one of the build
 */
export async function writeDataFolderRecord(
  path: string,
  { folderId, isComplete }: { folderId: string; isComplete: boolean },
  preparedIn?: string,
): Promise<void> {
  const migrations = readStateMigrations();
  if (await mayCopyTo(path)) {
    const prepared = await readPrepared("sqlite", migrations, preparedIn);
    if (prepared !== null) {
      await mkdir(dirname(path), { recursive: true });
      await replaceFile(path, prepared);
      await syncFolder(dirname(path));
    }
  }
  const db = await SqliteConnection.open({ path });
  try {
    await migrate(db, migrations);
    await db.write(() =>
      db.run(
        `INSERT INTO data_folder (folder_id, is_complete) VALUES (:folderId, :isComplete)
         ON CONFLICT (folder_id) DO UPDATE SET is_complete = excluded.is_complete`,
        { folderId, isComplete: isComplete ? 1 : 0 },
      ),
    );
  } finally {
    db.close();
  }
}

/** The log of a deleted database must not be replayed into a copy. If SQLite makes the database, it ignores that log. */
async function mayCopyTo(path: string): Promise<boolean> {
  const sizes = await Promise.all([path, `${path}-wal`, `${path}-journal`].map(findSize));
  return sizes.every((size) => size === null);
}
