import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimDataFolder } from "../data-folder/claim-data-folder.server.ts";
import { dataPaths } from "../data-folder/data-paths.ts";
import { createLog } from "../log.server.ts";
import { SqliteConnection } from "../stores/sqlite/connection.ts";
import { migrate, readStateMigrations } from "../stores/sqlite/migrate.ts";
import { openSqliteState } from "../stores/sqlite/open-sqlite-state.ts";
import { checkFolder } from "./check-folder.server.ts";
import { goBack } from "./go-back.server.ts";
import { beginUpgradeSnapshot } from "./upgrade-snapshot.server.ts";

const log = createLog({ level: "silent", format: "json" });
const older = readStateMigrations().slice(0, -1);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "culprit-upgrade-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A folder as the version before has left it. */
async function makeOldFolder(): Promise<void> {
  const db = await SqliteConnection.open({ path: dataPaths(folder).state });
  await migrate(db, older);
  db.run("INSERT INTO data_folder (folder_id, is_complete) VALUES ('0123456789abcdef0123456789abcdef', 1)");
  db.close();
  writeFileSync(dataPaths(folder).events, "events of the older version");
  await makeOldSchema();
}

async function makeOldSchema(): Promise<void> {
  writeFileSync(dataPaths(folder).schema, JSON.stringify({ version: "0.0.9", state: older.length, events: 1 }));
}

const begin = () => beginUpgradeSnapshot({ paths: dataPaths(folder), version: "0.1.0" }, log);
const listSnapshots = () =>
  existsSync(join(folder, "snapshots")) ? readdirSync(join(folder, "snapshots")).sort() : [];

async function upgrade(): Promise<void> {
  const snapshot = await begin();
  await (await openSqliteState({ path: dataPaths(folder).state })).close();
  await snapshot.addEvents();
  writeFileSync(dataPaths(folder).events, "events of the newer version");
  await snapshot.noteUpgraded();
}

function countMigrations(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const count = Number(db.prepare("SELECT count(*) AS count FROM schema_migrations").get()?.count);
  db.close();
  return count;
}

test("an upgrade keeps the databases from before it, and one can go back and forth", async () => {
  await makeOldFolder();
  await upgrade();
  const [name = ""] = listSnapshots();
  expect(listSnapshots()).toEqual([expect.stringMatching(/Z$/)]);
  expect(countMigrations(join(folder, "snapshots", name, "state.sqlite"))).toBe(older.length);
  expect(countMigrations(dataPaths(folder).state)).toBe(older.length + 1);

  const done = await goBack({ dataDir: folder });
  expect(done.manifest.version).toBe("0.0.9");
  expect(countMigrations(dataPaths(folder).state)).toBe(older.length);
  expect(readFileSync(dataPaths(folder).events, "utf8")).toBe("events of the older version");
  expect(readFileSync(join(done.left, "events.duckdb"), "utf8")).toBe("events of the newer version");
  // The older version opens it, which refuses what is newer than itself.
  const db = await SqliteConnection.open({ path: dataPaths(folder).state });
  await migrate(db, older);
  db.close();
});

test("one can go back to a version that knew no ids of data folders, and forth again", async () => {
  const paths = dataPaths(folder);
  const first = readStateMigrations().findIndex(({ name }) => name.includes("data-folder"));
  expect(first).toBeGreaterThan(0);
  const db = await SqliteConnection.open({ path: paths.state });
  await migrate(db, readStateMigrations().slice(0, first));
  db.close();
  writeFileSync(paths.events, "events of the older version");
  writeFileSync(paths.schema, JSON.stringify({ version: "0.0.1", state: first, events: 1 }));
  for (const dir of [paths.journal, paths.payloads, paths.blobs]) mkdirSync(dir, { recursive: true });
  const upgradeAndClaim = async () => {
    const snapshot = await begin();
    await claimDataFolder(paths, log);
    await (await openSqliteState({ path: paths.state })).close();
    await claimDataFolder(paths, log);
    await snapshot.addEvents();
    await snapshot.noteUpgraded();
  };
  await upgradeAndClaim();
  await goBack({ dataDir: folder });
  expect(countMigrations(paths.state)).toBe(first);
  // It is not damaged.
  await expect(checkFolder(folder)).rejects.toThrow("is of an early version");
  writeFileSync(paths.schema, JSON.stringify({ version: "0.0.1", state: first, events: 1 }));
  await upgradeAndClaim();
  expect(countMigrations(paths.state)).toBe(readStateMigrations().length);
});

test("a start that upgrades nothing keeps nothing, and neither does the first one", async () => {
  await begin();
  expect(listSnapshots()).toEqual([]);
  await makeOldFolder();
  await upgrade();
  await upgrade();
  expect(listSnapshots()).toHaveLength(1);
});

test("an upgrade that was cut off after the state was changed still has the state from before", async () => {
  await makeOldFolder();
  await begin();
  await (await openSqliteState({ path: dataPaths(folder).state })).close();
  expect(listSnapshots()).toEqual([expect.stringMatching(/unfinished$/)]);
  await upgrade();
  const [name = ""] = listSnapshots();
  expect(name).toMatch(/Z$/);
  expect(countMigrations(join(folder, "snapshots", name, "state.sqlite"))).toBe(older.length);
});

test("an upgrade that dies again and again once its snapshot is whole makes no other one of what is upgraded in part", async () => {
  await makeOldFolder();
  for (let start = 0; start < 3; start++) {
    const snapshot = await begin();
    await (await openSqliteState({ path: dataPaths(folder).state })).close();
    await snapshot.addEvents();
    writeFileSync(dataPaths(folder).events, "events that are upgraded in part");
  }
  await upgrade();
  expect(listSnapshots()).toEqual([expect.stringMatching(/Z$/)]);
  await goBack({ dataDir: folder });
  expect(countMigrations(dataPaths(folder).state)).toBe(older.length);
  expect(readFileSync(dataPaths(folder).events, "utf8")).toBe("events of the older version");
  // The next upgrade makes one of its own.
  await makeOldSchema();
  await upgrade();
  expect(listSnapshots().filter((name) => !name.startsWith("left-"))).toHaveLength(2);
});

test("a copy that was cut off before the state was whole is made again", async () => {
  await makeOldFolder();
  await begin();
  const [name = ""] = listSnapshots();
  rmSync(join(folder, "snapshots", name, "state.sqlite"));
  await upgrade();
  expect(listSnapshots()).toHaveLength(1);
  expect((await goBack({ dataDir: folder })).manifest.files.map(({ path }) => path)).toEqual([
    "events.duckdb",
    "state.sqlite",
  ]);
});

test("going back refuses a damaged snapshot, and a folder without one, and changes nothing", async () => {
  await makeOldFolder();
  await expect(goBack({ dataDir: folder })).rejects.toThrow("there is no snapshot of an upgrade");
  await upgrade();
  const [name = ""] = listSnapshots();
  writeFileSync(join(folder, "snapshots", name, "events.duckdb"), "something else");
  await expect(goBack({ dataDir: folder })).rejects.toThrow("is damaged: nothing is changed");
  expect(readFileSync(dataPaths(folder).events, "utf8")).toBe("events of the newer version");
});

test("going back is refused where the older version could not read days that were moved, unless it is asked for", async () => {
  const days = dataPaths(folder).days;
  async function makeEvents(sql: string): Promise<void> {
    const instance = await DuckDBInstance.create(dataPaths(folder).events);
    const connection = await instance.connect();
    await connection.run(sql);
    // The file is closed with the last connection.
    connection.closeSync();
    instance.closeSync();
  }
  await makeOldFolder();
  rmSync(dataPaths(folder).events);
  await makeEvents("CREATE TABLE spans (ordinal BIGINT)");
  await upgrade();
  mkdirSync(days);
  for (const name of ["2026-11-20-spans-0000.parquet", "2026-11-22-logs-0001.parquet"])
    writeFileSync(join(days, name), "");
  await expect(goBack({ dataDir: folder })).rejects.toThrow(
    /^spans and logs of 2026-11-20 to 2026-11-22 were moved .* 0\.0\.9 does not read that folder: nothing is changed.*--leave-days/,
  );
  expect(readFileSync(dataPaths(folder).events, "utf8")).toBe("events of the newer version");
  const gone = await goBack({ dataDir: folder, leavesDays: true });
  expect(gone.leftDays).toHaveLength(2);
  expect(readdirSync(days)).toHaveLength(2);
  // A version that knows them reads all that lie there.
  await makeEvents("CREATE TABLE moved_days (name VARCHAR)");
  rmSync(join(folder, "snapshots"), { recursive: true });
  await makeOldSchema();
  await upgrade();
  expect((await goBack({ dataDir: folder })).leftDays).toEqual([]);
});

test("the last two snapshots stay", async () => {
  for (let round = 0; round < 3; round++) {
    for (const name of ["state.sqlite", "events.duckdb"]) rmSync(join(folder, name), { force: true });
    await makeOldFolder();
    await upgrade();
  }
  expect(listSnapshots()).toHaveLength(2);
});
