import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { findPending, readMigrations, toMigration } from "./migrations.ts";

const FIRST = toMigration("0001_first.sql", 1, "CREATE TABLE a (x INTEGER);\n");
const SECOND = toMigration("0002_second.sql", 2, "CREATE TABLE b (x INTEGER);\n");

test("an edit is told by the text, and line ends are none", () => {
  expect(toMigration(FIRST.name, 1, FIRST.sql.replaceAll("\n", "\r\n"))).toEqual(FIRST);
  expect(toMigration(FIRST.name, 1, `${FIRST.sql}-- edited\n`).checksum).not.toBe(FIRST.checksum);
});

test("what is not applied yet is pending", () => {
  expect(findPending([FIRST, SECOND], [], "it")).toEqual([FIRST, SECOND]);
  expect(findPending([FIRST, SECOND], [FIRST], "it")).toEqual([SECOND]);
  expect(findPending([FIRST, SECOND], [FIRST, SECOND], "it")).toEqual([]);
});

test("one that was edited or renamed after it had been applied, and one of a newer version, are refused with what to do", () => {
  expect(() => findPending([FIRST, SECOND], [{ ...FIRST, checksum: "0" }], "the database X")).toThrow(
    /0001_first\.sql was changed after it had been applied to the database X.* Put the file back/,
  );
  expect(() => findPending([FIRST], [{ ...FIRST, name: "0001_other.sql" }], "it")).toThrow("to it as 0001_other.sql");
  expect(() => findPending([FIRST], [FIRST, SECOND], "the database X")).toThrow(
    /the database X was made by a newer version of Culprit: it has migration 0002_second\.sql, .*knows 1\. Start the newer/,
  );
});

test("files are numbered without gaps, in names that say their topic", async () => {
  using folder = makeTempFolder();
  const migrations = join(folder.path, "migrations");
  const url = pathToFileURL(`${migrations}/`);
  expect(() => readMigrations(url)).toThrow("ENOENT");
  await mkdir(migrations);
  await writeFile(join(migrations, "0002_second.sql"), SECOND.sql);
  expect(() => readMigrations(url)).toThrow("migration 0002_second.sql: expected number 1");
  await writeFile(join(migrations, "0001_first.sql"), FIRST.sql);
  expect(readMigrations(url)).toEqual([FIRST, SECOND]);
  await writeFile(join(migrations, "third.sql"), "");
  expect(() => readMigrations(url)).toThrow("migration third.sql: expected number 3");
});
