import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DataFolderError, foreignStore } from "../../domain/data-folder.ts";
import type { NumberedJournal } from "../../domain/journal-positions.ts";
import { findSize } from "../../missing-file.ts";
import type { RebuildState } from "../events/event-rebuild.ts";
import type { Migration } from "../sql/migrations.ts";
import { readPrepared } from "../sql/prepared-databases.ts";
import { eventDatabaseFiles } from "./database-files.ts";
import { DuckdbDatabase, type DuckdbDatabaseOptions, readRows } from "./duckdb-database.ts";
import { DUCKDB_TABLES } from "./duckdb-tables.ts";
import { DamagedEventDatabaseError } from "./event-database-damage.ts";
import { LONG_TEXTS } from "./long-texts.ts";
import { migrate, readEventMigrations } from "./migrate.ts";
import { writeRebuildState } from "./rebuild-state.ts";

/** The data folder that the event database must belong to. */
export interface EventFolder {
  /** 32 hex characters. */
  id: string;
  statePath: string;
  /** Whether the state database has stored events: then an event database without any is a lost one. */
  hasStored: boolean;
  /** The journals with stored records. */
  journals: readonly StoredJournal[];
}

/** A journal. The state database has applied some of its records. */
export interface StoredJournal extends NumberedJournal {
  /** The first record that is still there, or would be the next one. */
  from: number;
  /** The sequence up to which the state database has applied it (exclusive). */
  applied: number;
}

/** The three headers that DuckDB writes first; a file without them holds nothing and cannot be opened (1.5, 2026-11). */
const HEADER_BYTES = 3 * 4096;

/** Also false for a file that was only begun. */
export async function isEventDatabaseMade(path: string): Promise<boolean> {
  return ((await findSize(path)) ?? 0) >= HEADER_BYTES;
}

/** Whether the file exists but is too short to be opened. It was longer once, and its log may still hold something. */
export async function isCutOffInHeaders(path: string): Promise<boolean> {
  const bytes = await findSize(path);
  return bytes !== null && bytes < HEADER_BYTES;
}

/**
 * Makes an empty database that carries the id. The file gets its name when it is complete, so the process may die at any time.
 *
 * @param rebuild how its rows come back; null: there were none
 */
export async function makeEventDatabase(
  options: DuckdbDatabaseOptions,
  folderId: string,
  rebuild: RebuildState | null,
): Promise<void> {
  const { path } = options;
  const draft = `${path}.new`;
  const [, ...logs] = eventDatabaseFiles(path);
  // The log of a database that is gone must not be replayed into this one.
  for (const old of [...eventDatabaseFiles(draft), ...logs]) await rm(old, { force: true });
  const migrations = readEventMigrations();
  const prepared = await readPrepared("duckdb", migrations);
  if (prepared !== null) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, prepared);
  }
  const database = await DuckdbDatabase.open({ ...options, path: draft });
  try {
    await database.write(async (connection) => {
      if (prepared === null) await makeTables(connection, migrations);
      await writeFolderId(connection, folderId);
      await writeRebuildState(connection, rebuild);
    });
  } finally {
    await database.close();
  }
  const isInLog = await stat(`${draft}.wal`).then(
    () => true,
    () => false,
  );
  if (isInLog) throw new Error(`there is no room to make ${path}`);
  await rename(draft, path);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The bytes of a database without an id, which the build stores. No file stays at the path. */
export async function makePreparedEvents(options: DuckdbDatabaseOptions): Promise<Uint8Array> {
  const database = await DuckdbDatabase.open(options);
  try {
    await database.write((connection) => makeTables(connection, readEventMigrations()));
  } finally {
    await database.close();
  }
  const bytes = await readFile(options.path);
  await rm(options.path);
  return bytes;
}

async function makeTables(connection: DuckDBConnection, migrations: readonly Migration[]): Promise<void> {
  await migrate(connection, migrations);
  await packTexts(connection);
}

/**
 * Checks that the database belongs to the folder. A database of a version without ids gets the id.
 *
 * @throws {DataFolderError}
 */
export async function claimEventDatabase(
  connection: DuckDBConnection,
  path: string,
  folder: EventFolder,
): Promise<void> {
  const [row] = await readRows(connection, "SELECT folder_id FROM data_folder");
  const id = row === undefined ? null : String(row.folder_id);
  if (id !== null && id !== folder.id) throw foreignStore(path, id, { path: folder.statePath, id: folder.id });
  const hasRows = (await readRows(connection, "SELECT 1 FROM applied_positions LIMIT 1")).length > 0;
  if (hasRows && !folder.hasStored) {
    throw new DataFolderError(
      `${folder.statePath} knows nothing of what is stored in ${path}. ` +
        "Put the whole folder back from a backup, or start in a new folder (DATA_DIR)",
    );
  }
  if (id !== null) return;
  if (!hasRows && folder.hasStored) throw new DamagedEventDatabaseError("it is empty");
  await writeFolderId(connection, folder.id);
}

/**
 * Compresses the longest text columns with zstd: an event takes 184 bytes instead of 328 (decision 006). The table is made again, because a
 * column gets its compression when its table is made. So it must have no rows.
 */
async function packTexts(connection: DuckDBConnection): Promise<void> {
  const tables = DUCKDB_TABLES.map(({ shape, packed = [] }) => ({ name: shape.name, packed }));
  for (const { name, packed } of [...tables, LONG_TEXTS]) {
    if (packed.length === 0) continue;
    const [table] = await readRows(connection, "SELECT sql FROM duckdb_tables() WHERE table_name = $1", [name]);
    let sql = String(table?.sql);
    for (const column of packed) {
      const before = sql;
      // DuckDB quotes names that are words of SQL.
      sql = sql.replace(new RegExp(`([(, ]"?${column}"? VARCHAR)(?=[ ,)])`), "$1 USING COMPRESSION zstd");
      if (sql === before) throw new Error(`the table ${name} has no column ${column}`);
    }
    await connection.run(`DROP TABLE ${name}`);
    await connection.run(sql);
  }
}

async function writeFolderId(connection: DuckDBConnection, id: string): Promise<void> {
  await connection.run("INSERT INTO data_folder (folder_id) VALUES ($1)", [id]);
}
