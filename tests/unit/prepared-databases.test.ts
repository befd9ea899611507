import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DuckdbDatabase, readRows } from "../../app/stores/duckdb/duckdb-database.ts";
import { makePreparedEvents } from "../../app/stores/duckdb/event-database-file.ts";
import { readEventMigrations } from "../../app/stores/duckdb/migrate.ts";
import { readPrepared, writePrepared } from "../../app/stores/sql/prepared-databases.ts";
import { SqliteConnection } from "../../app/stores/sqlite/connection.ts";
import { readDataFolderRecord, writeDataFolderRecord } from "../../app/stores/sqlite/data-folder-record.ts";
import { migrate, readStateMigrations } from "../../app/stores/sqlite/migrate.ts";
import { prepareDatabases } from "../../scripts/prepare-databases.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const folder = makeTempFolder();
const prepared = join(folder.path, "prepared");
const RECORD = { folderId: "f00d", isComplete: false };
const DUCKDB = {
  tempDir: join(folder.path, "temp"),
  memoryLimitMb: 128,
  threads: 1,
  readerCount: 1,
  readTimeoutMs: 60_000,
};

beforeAll(async () => {
  await prepareDatabases(prepared);
});
afterAll(() => folder[Symbol.dispose]());

/** Tables, indexes, and the first rows without the times of their migrations. */
function readAll(db: SqliteConnection) {
  const schema = db.all<{ name: string; type: string; sql: string | null }>(
    "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name",
  );
  const tables = schema.filter(({ type, sql }) => type === "table" && !sql?.startsWith("CREATE VIRTUAL"));
  return { schema, rows: tables.map(({ name }) => [name, db.all<object>(`SELECT * FROM "${name}"`).map(withoutTime)]) };
}

function withoutTime(row: object): object {
  return { ...row, applied_at: undefined };
}

async function readEvents(path: string) {
  const database = await DuckdbDatabase.open({ ...DUCKDB, path });
  try {
    return await database.write(async (connection) => ({
      tables: await readRows(connection, "SELECT table_name, sql FROM duckdb_tables() ORDER BY table_name"),
      indexes: await readRows(connection, "SELECT index_name, sql FROM duckdb_indexes() ORDER BY index_name"),
      ids: await readRows(connection, "SELECT * FROM data_folder"),
      migrations: await readRows(connection, "SELECT number, name, checksum FROM schema_migrations ORDER BY number"),
    }));
  } finally {
    await database.close();
  }
}

describe("a prepared database", () => {
  test("of the state holds what the migrations make", async () => {
    const path = join(folder.path, "copied.sqlite");
    writeFileSync(path, (await readPrepared("sqlite", readStateMigrations(), prepared)) ?? "");
    const copied = await SqliteConnection.open({ path });
    const made = await SqliteConnection.open({ path: join(folder.path, "made.sqlite") });
    await migrate(made, readStateMigrations());
    const all = readAll(made);
    expect(all.schema.length).toBeGreaterThan(100);
    expect(readAll(copied)).toEqual(all);
    copied.close();
    made.close();
  });

  test("of events holds what the migrations make, and no id", async () => {
    const copied = join(folder.path, "copied.duckdb");
    writeFileSync(copied, (await readPrepared("duckdb", readEventMigrations(), prepared)) ?? "");
    const made = join(folder.path, "made.duckdb");
    writeFileSync(made, await makePreparedEvents({ ...DUCKDB, path: made }));
    const events = await readEvents(made);
    expect(events.tables.length).toBeGreaterThan(10);
    expect(events.ids).toEqual([]);
    expect(await readEvents(copied)).toEqual(events);
  });

  test("of other migrations is not taken", async () => {
    const [last] = readStateMigrations().slice(-1);
    expect(last).toBeDefined();
    expect(await readPrepared("sqlite", readStateMigrations().slice(0, -1), prepared)).toBeNull();
    const edited = readStateMigrations().map((each) => (each.number === 1 ? { ...each, checksum: "edited" } : each));
    expect(await readPrepared("sqlite", edited, prepared)).toBeNull();
  });
});

describe("a first start", () => {
  /** Begins on what the build has left, with a table more, to tell it by. */
  async function startIn(name: string, before: (path: string) => void): Promise<boolean> {
    const path = join(folder.path, name);
    before(path);
    await writeDataFolderRecord(path, RECORD, marked);
    expect(await readDataFolderRecord(path)).toMatchObject(RECORD);
    const db = await SqliteConnection.open({ path });
    const found = db.get("SELECT 1 FROM sqlite_schema WHERE name = 'marker'");
    db.close();
    return found !== undefined;
  }
  const marked = join(folder.path, "marked");
  beforeAll(async () => {
    const path = join(folder.path, "marked.sqlite");
    writeFileSync(path, (await readPrepared("sqlite", readStateMigrations(), prepared)) ?? "");
    const db = await SqliteConnection.open({ path });
    db.exec("CREATE TABLE marker (x INTEGER)");
    db.close();
    await writePrepared("sqlite", readStateMigrations(), readFileSync(path), marked);
  });

  test("copies the state database where nothing is", async () => {
    expect(await startIn("new/state.sqlite", () => {})).toBe(true);
  });

  test("makes one where a file or the log of a lost one lies", async () => {
    expect(await startIn("empty.sqlite", (path) => writeFileSync(path, ""))).toBe(false);
    expect(await startIn("lost.sqlite", (path) => writeFileSync(`${path}-wal`, "left"))).toBe(false);
  });
});
