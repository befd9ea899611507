import { expect, test } from "vitest";
import { toMigration } from "../sql/migrations.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { openTestDatabase } from "./fixtures/open-test-database.ts";
import { migrate, readEventMigrations } from "./migrate.ts";

const first = toMigration("0001_first.sql", 1, "CREATE TABLE first (n INTEGER);\nINSERT INTO first VALUES (1);\n");
const second = toMigration("0002_second.sql", 2, "ALTER TABLE first ADD COLUMN m INTEGER DEFAULT 7;");

test("applies what is missing, once, and remembers it", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestDatabase(files);
  await database.write((connection) => migrate(connection, [first]));
  await database.write((connection) => migrate(connection, [first]));
  await database.write((connection) => migrate(connection, [first, second]));
  expect(await database.read("SELECT n, m FROM first")).toEqual([{ n: 1, m: 7 }]);
  expect(await database.read("SELECT number, name FROM schema_migrations ORDER BY number")).toEqual([
    { number: 1, name: "0001_first.sql" },
    { number: 2, name: "0002_second.sql" },
  ]);
  await database.close();
});

test("refuses an applied migration that was edited, and a database of a newer version", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestDatabase(files);
  await database.write((connection) => migrate(connection, [first, second]));
  const edited = toMigration("0001_first.sql", 1, "CREATE TABLE first (n BIGINT);");
  await expect(database.write((connection) => migrate(connection, [edited, second]))).rejects.toThrow(/was changed/);
  await expect(database.write((connection) => migrate(connection, [first]))).rejects.toThrow(/newer version/);
  await database.close();
});

test("undoes all migrations when one fails", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestDatabase(files);
  const wrong = toMigration("0002_wrong.sql", 2, "CREATE TABLE second (n INTEGER); SELECT no_such_function();");
  await expect(database.write((connection) => migrate(connection, [first, wrong]))).rejects.toThrow(/0002_wrong\.sql/);
  expect(await database.read("SELECT table_name FROM duckdb_tables() WHERE database_name = 'culprit'")).toEqual([]);
  await database.write((connection) => migrate(connection, [first, second]));
  await database.close();
});

test("does not touch a database that is something else", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestDatabase(files);
  await database.write((connection) => connection.run("CREATE TABLE sales (n INTEGER)"));
  await database.close();
  await expect(files.open()).rejects.toThrow(/event database was not made by Culprit/);
});

test("those that are shipped have numbers without gaps", () => {
  expect(readEventMigrations()[0]).toMatchObject({ number: 1, name: "0001_events.sql" });
});
