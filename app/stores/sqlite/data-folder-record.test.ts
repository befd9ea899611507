import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { SqliteConnection } from "./connection.ts";
import { readDataFolderRecord, writeDataFolderRecord } from "./data-folder-record.ts";
import { migrate, readStateMigrations } from "./migrate.ts";

test("a state database that is missing or has no tables has no record", async () => {
  using folder = makeTempFolder();
  const path = join(folder.path, "state.sqlite");
  expect(await readDataFolderRecord(path)).toBeNull();
  writeFileSync(path, "");
  expect(await readDataFolderRecord(path)).toBeNull();
  (await SqliteConnection.open({ path })).close();
  expect(await readDataFolderRecord(path)).toBeNull();
});

test("a state database of a version without ids says whether it has stored something, and takes an id", async () => {
  using folder = makeTempFolder();
  const path = join(folder.path, "state.sqlite");
  const migrations = readStateMigrations();
  const db = await SqliteConnection.open({ path });
  await migrate(
    db,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.endsWith("_data-folder.sql")),
    ),
  );
  expect(await readDataFolderRecord(path)).toEqual({ folderId: null, isComplete: false, applied: new Map() });
  db.exec("INSERT INTO journal_positions (journal_id, sequence) VALUES ('a', 1)");
  db.close();
  expect(await readDataFolderRecord(path)).toEqual({ folderId: null, isComplete: false, applied: new Map([["a", 1]]) });

  await writeDataFolderRecord(path, { folderId: "f00d", isComplete: false });
  expect(await readDataFolderRecord(path)).toEqual({
    folderId: "f00d",
    isComplete: false,
    applied: new Map([["a", 1]]),
  });
  await writeDataFolderRecord(path, { folderId: "f00d", isComplete: true });
  expect(await readDataFolderRecord(path)).toEqual({
    folderId: "f00d",
    isComplete: true,
    applied: new Map([["a", 1]]),
  });
});
