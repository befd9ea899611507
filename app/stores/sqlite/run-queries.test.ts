import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { all, get, type Query, run } from "../sql/query.ts";
import { SqliteConnection } from "./connection.ts";
import { createQueryRunner } from "./run-queries.ts";

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "culprit-queries-"));
  const db = await SqliteConnection.open({ path: join(folder, "test.db") });
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  db.exec("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE) STRICT");
  return { db, queries: createQueryRunner(db) };
}

function* add(word: string): Query<number> {
  const row = yield* get<{ id: number }>("INSERT INTO words (word) VALUES (:word) RETURNING id", { word });
  return row?.id ?? 0;
}

function* listWords(): Query<string[]> {
  return (yield* all<{ word: string }>("SELECT word FROM words ORDER BY id")).map(({ word }) => word);
}

test("a query gets rows of what gives some, and counts of what does not", async () => {
  const { queries } = await open();
  expect(await queries.write(() => add("one"))).toBe(1);
  expect(await queries.write(() => run("UPDATE words SET word = 'two'"))).toBe(1);
  expect(await queries.read(listWords)).toEqual(["two"]);
});

test("a query that throws leaves nothing behind", async () => {
  const { queries } = await open();
  function* addBoth(): Query<void> {
    yield* add("one");
    yield* add("one");
  }
  await expect(queries.write(addBoth)).rejects.toThrow("UNIQUE");
  expect(await queries.read(listWords)).toEqual([]);
});

test("nothing else runs on the connection between the statements of a query", async () => {
  const { queries } = await open();
  function* addAndList(word: string): Query<string[]> {
    yield* add(word);
    return yield* listWords();
  }
  const lists = await Promise.all(["one", "two", "three"].map((word) => queries.write(() => addAndList(word))));
  expect(lists.map(({ length }) => length).sort()).toEqual([1, 2, 3]);
});

test("a parameter that is missing is an error", async () => {
  const { queries } = await open();
  await expect(queries.read(() => all("SELECT :absent AS value"))).rejects.toThrow("SQL parameter :absent is missing");
});

test("a writer that waits for another one begins its query again", async () => {
  const { db, queries } = await open();
  const other = await SqliteConnection.open({ path: db.path });
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE; INSERT INTO words (word) VALUES ('first')");
  const waiting = queries.write(() => add("second"));
  await new Promise((resolve) => setTimeout(resolve, 10));
  other.exec("COMMIT");
  expect(await waiting).toBe(2);
});
