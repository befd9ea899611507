import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { findReadLimit } from "../../domain/read-limit.ts";
import { append, event, filter, listSequences, NOON } from "../event-store-contract/fixture.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { createDuckdbEventDatabase, type DuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { openTestDatabase } from "./fixtures/open-test-database.ts";
import { openDuckdbEventStore } from "./open-duckdb-event-store.ts";

const openDatabase = (files: DuckdbEventDatabase, change: { readTimeoutMs?: number } = {}) =>
  openTestDatabase(files, { threads: 2, readerCount: 2, ...change });

async function createNumbers(database: DuckdbDatabase): Promise<void> {
  await database.write(async (connection) => {
    await connection.run("CREATE TABLE numbers (n INTEGER)");
    await connection.run("INSERT INTO numbers VALUES (1)");
  });
}

test("goes on after DuckDB has shut the file because a checkpoint failed", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openDatabase(files);
  await createNumbers(database);
  await database.write((connection) => connection.run("SET debug_checkpoint_abort = 'before_header'"));
  expect(await database.checkpoint()).toBe(false);
  expect(await Promise.all([1, 2, 3].map(() => database.read("SELECT n FROM numbers")))).toEqual([
    [{ n: 1 }],
    [{ n: 1 }],
    [{ n: 1 }],
  ]);
  expect(database.attachments).toBe(2);

  expect(await database.checkpoint()).toBe(false);
  await database.transaction(async (connection) => {
    await connection.run("INSERT INTO numbers VALUES (2)");
    return { result: undefined, onCommit: () => undefined };
  });
  expect(await database.read("SELECT n FROM numbers ORDER BY n")).toEqual([{ n: 1 }, { n: 2 }]);
  expect(database.attachments).toBe(3);

  await database.write((connection) => connection.run("SET debug_checkpoint_abort = 'none'"));
  expect(await database.checkpoint()).toBe(true);
  await database.close();
});

test("interrupts a read that takes too long, and the next one gets its turn", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openDatabase(files, { readTimeoutMs: 50 });
  const endless = "SELECT count(*)::DOUBLE AS n FROM range(100000000000) AS a(x) WHERE sin(x) > 2";
  const reads = await Promise.allSettled([
    database.read(endless),
    database.read(endless),
    database.read("SELECT 1 AS n"),
  ]);
  expect(reads.map((read) => (read.status === "rejected" ? findReadLimit(read.reason) : read.value))).toEqual([
    "time",
    "time",
    [{ n: 1 }],
  ]);
  await database.close();
});

test("says of a read that it needs too much memory, and goes on", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openDatabase(files);
  const large = database.read("SELECT list(repeat('x', 1000) || a.x)::VARCHAR AS n FROM range(1000000) AS a(x)");
  await expect(large.catch(findReadLimit)).resolves.toBe("memory");
  expect(await database.read("SELECT 1 AS n")).toEqual([{ n: 1 }]);
  await database.close();
});

test("a transaction that fails leaves nothing behind", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openDatabase(files);
  await createNumbers(database);
  const failing = database.transaction(async (connection) => {
    await connection.run("INSERT INTO numbers VALUES (2)");
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await database.read("SELECT n FROM numbers")).toEqual([{ n: 1 }]);
  await database.close();
});

test("has let go of the file when it is closed", async () => {
  await using files = await createDuckdbEventDatabase();
  const store = await files.open();
  await append(store, [event(0)]);
  await store.count(filter());
  const openFiles = () =>
    readdirSync("/proc/self/fd").flatMap((fd) => {
      const link = `/proc/self/fd/${fd}`;
      return existsSync(link) ? [readlinkSync(link)] : [];
    });
  const isLinux = existsSync("/proc/self/fd");
  if (isLinux) expect(openFiles()).toContain(files.path);
  await store.close();
  if (isLinux) expect(openFiles().filter((path) => path.startsWith(files.folder))).toEqual([]);
  expect(readdirSync(files.folder)).not.toContain("events.duckdb.wal");
});

test("is not opened twice at the same time", async () => {
  await using files = await createDuckdbEventDatabase();
  const store = await files.open();
  await expect(files.open()).rejects.toThrow(/open already/);
  await store.close();
  await files.open();
});

test("takes a path with a quote in it", async () => {
  await using files = await createDuckdbEventDatabase();
  const store = await openDuckdbEventStore({
    path: `${files.folder}/it's; here/e.duckdb`,
    tempDir: `${files.folder}/t`,
  });
  await append(store, [event(0)]);
  expect(await listSequences(store)).toEqual([0]);
  await store.close();
});

test("refuses to open a file that is not a DuckDB database, and leaves it as it was", async () => {
  await using files = await createDuckdbEventDatabase();
  await writeFile(files.path, "this is a text file, and longer than any header\n".repeat(1_000));
  await expect(files.open()).rejects.toThrow(/not a valid DuckDB database/);
});

test("the last batch is read by all that asks after it was appended", async () => {
  await using files = await createDuckdbEventDatabase();
  const store = await files.open();
  for (let sequence = 0; sequence < 20; sequence++) {
    await append(store, [event(sequence, { at: NOON + sequence })]);
    const [listed, counted] = await Promise.all([listSequences(store), store.count(filter())]);
    expect(listed[0]).toBe(sequence);
    expect(counted.events).toBe(sequence + 1);
  }
});

test("a file is made of small blocks, and one that has large ones keeps them", async () => {
  const sizes: unknown[] = [];
  for (const isOld of [false, true]) {
    await using files = await createDuckdbEventDatabase();
    if (isOld) {
      const instance = await DuckDBInstance.create(files.path);
      instance.closeSync();
    }
    const database = await openDatabase(files);
    await createNumbers(database);
    expect(await database.read("SELECT n FROM numbers")).toEqual([{ n: 1 }]);
    const [size] = await database.read(
      "SELECT block_size::DOUBLE AS bytes FROM pragma_database_size() WHERE database_name = 'culprit'",
    );
    sizes.push(size?.bytes);
    await database.close();
  }
  expect(sizes).toEqual([65_536, 262_144]);
});

test("a statement that is kept finds the rows that came since it was prepared", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openDatabase(files);
  await createNumbers(database);
  const count = async (condition: string) =>
    (await database.read(`SELECT count(*)::DOUBLE AS n FROM numbers WHERE ${condition}`))[0]?.n;
  const conditions = ["n < 10", "n > 10", "n IS NULL", "n IS NOT NULL"];
  const groups = () => database.read("SELECT n FROM numbers GROUP BY n");
  for (const condition of conditions) await count(condition);
  await groups();
  await database.write((connection) => connection.run("INSERT INTO numbers SELECT range FROM range(1000)"));
  await database.write((connection) => connection.run("INSERT INTO numbers VALUES (NULL)"));
  expect(await Promise.all(conditions.map(count))).toEqual([11, 989, 1, 1001]);
  expect(await groups()).toHaveLength(1001);
  await database.close();
});

test("keeps nothing of what a common table expression has given", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openDatabase(files);
  const lines = "SELECT range AS n, 'line ' || range AS line FROM range(300000)";
  const sql = `WITH lines AS (${lines}) SELECT (SELECT count(*) FROM lines)::DOUBLE AS n, (SELECT max(line) FROM lines) AS last`;
  for (let time = 0; time < 2; time++) expect(await database.read(sql)).toEqual([{ n: 300_000, last: "line 99999" }]);
  const held = await database.read(
    "SELECT coalesce(sum(memory_usage_bytes + temporary_storage_bytes), 0)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'COLUMN_DATA'",
  );
  expect(held).toEqual([{ bytes: 0 }]);
  await database.close();
});

/** Appends a number to a table of its own, with a key of the same name, and commits or fails when it is told to. */
function appendWhenTold(database: DuckdbDatabase, table: string, n: number, failures: readonly Error[] = []) {
  const [inserted, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let tries = 0;
  let hasFailed = false;
  const appended = database.append(new Set([table]), async (connection) => {
    const failure = failures[tries++];
    await connection.run(`INSERT INTO ${table} VALUES (${n})`);
    inserted.resolve();
    await told.promise;
    hasFailed = failure !== undefined;
    if (failure) throw failure;
    return { result: n, onCommit: () => undefined };
  });
  appended.catch(() => undefined);
  return { appended, inserted: inserted.promise, tell: told.resolve, tries: () => tries, hasFailed: () => hasFailed };
}

async function openTwoTables(files: DuckdbEventDatabase): Promise<DuckdbDatabase> {
  const database = await openDatabase(files);
  await createNumbers(database);
  await database.write((connection) => connection.run("CREATE TABLE others (n INTEGER)"));
  return database;
}

async function readNumbers(database: DuckdbDatabase, table: string) {
  return (await database.read(`SELECT n FROM ${table} ORDER BY rowid`)).map(({ n }) => n);
}

const invalidated = () => new Error("the database has been invalidated, says this test");
const noMemory = () => new Error("Out of Memory Error: says this test");

test("appends that share nothing run beside each other, others in their order, and writes alone", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTwoTables(files);
  const first = appendWhenTold(database, "numbers", 2);
  const beside = appendWhenTold(database, "others", 3);
  const second = appendWhenTold(database, "numbers", 4);
  const written = database.write((connection) => connection.run("INSERT INTO numbers VALUES (5)"));
  const third = appendWhenTold(database, "others", 6);
  await Promise.all([first.inserted, beside.inserted]);

  beside.tell();
  expect(await beside.appended).toBe(3);
  expect(await readNumbers(database, "others")).toEqual([3]);
  expect(await readNumbers(database, "numbers")).toEqual([1]);
  expect([second.tries(), third.tries()]).toEqual([0, 0]);

  first.tell();
  await second.inserted;
  expect(third.tries()).toBe(0);
  second.tell();
  await written;
  third.tell();
  await third.appended;
  expect(await readNumbers(database, "numbers")).toEqual([1, 2, 4, 5]);
  expect(await readNumbers(database, "others")).toEqual([3, 6]);
  expect([first, beside, second, third].map(({ tries }) => tries())).toEqual([1, 1, 1, 1]);
  await database.close();
});

test.each([
  ["memory was full", noMemory],
  ["DuckDB has shut the file", invalidated],
])("an append that is tried again because %s is stored before what shares its keys", async (_, failure) => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTwoTables(files);
  const beside = appendWhenTold(database, "others", 2);
  const failing = appendWhenTold(database, "numbers", 3, [failure()]);
  const next = appendWhenTold(database, "numbers", 4);
  await Promise.all([beside.inserted, failing.inserted]);
  failing.tell();
  next.tell();
  // Now it is tried again when nothing else is under way.
  await expect.poll(() => failing.hasFailed()).toBe(true);
  await database.read("SELECT 1");
  expect([failing.tries(), next.tries()]).toEqual([1, 0]);
  beside.tell();
  expect(await Promise.all([beside.appended, failing.appended, next.appended])).toEqual([2, 3, 4]);
  expect(await readNumbers(database, "numbers")).toEqual([1, 3, 4]);
  expect([beside, failing, next].map(({ tries }) => tries())).toEqual([1, 2, 1]);
  await database.close();
});

test("two appends beside each other that DuckDB has shut the file under attach it once", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTwoTables(files);
  const both = ["numbers", "others"].map((table, at) => appendWhenTold(database, table, at + 2, [invalidated()]));
  await Promise.all(both.map(({ inserted }) => inserted));
  for (const { tell } of both) tell();
  expect(await Promise.all(both.map(({ appended }) => appended))).toEqual([2, 3]);
  expect(database.attachments).toBe(2);
  await database.close();
});

test("an append that fails for its own reason is not tried again, and leaves nothing", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTwoTables(files);
  const failing = appendWhenTold(database, "numbers", 2, [new Error("not now")]);
  failing.tell();
  await expect(failing.appended).rejects.toThrow("not now");
  expect(failing.tries()).toBe(1);
  expect(await readNumbers(database, "numbers")).toEqual([1]);
  await database.close();
});

test("what fails again says what it failed with first", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTwoTables(files);
  const first = noMemory();
  const failing = appendWhenTold(database, "numbers", 2, [first, new Error("not now, either")]);
  failing.tell();
  await expect(failing.appended).rejects.toMatchObject({ message: "not now, either", cause: first });
  await database.close();
});

test("is closed after what is tried again", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTwoTables(files);
  const beside = appendWhenTold(database, "others", 2);
  const failing = appendWhenTold(database, "numbers", 3, [noMemory()]);
  await Promise.all([beside.inserted, failing.inserted]);
  failing.tell();
  const closed = database.close();
  const late = appendWhenTold(database, "numbers", 4);
  beside.tell();
  await closed;
  expect(await failing.appended).toBe(3);
  await expect(late.appended).rejects.toThrow("closed");
  const again = await openDatabase(files);
  expect(await readNumbers(again, "numbers")).toEqual([1, 3]);
  await again.close();
});

test("lets a checkpoint end before it attaches the file again, and reads go on until then", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTwoTables(files);
  const texts = Array.from({ length: 40 }, (_, at) => `md5((range * ${at + 1})::VARCHAR) AS text${at}`).join(", ");
  await database.write((connection) => connection.run(`CREATE TABLE texts AS SELECT ${texts} FROM range(20000)`));
  const failing = appendWhenTold(database, "numbers", 2, [invalidated()]);
  await failing.inserted;
  let isDone: boolean | null = null;
  const checkpoint = database.checkpoint().then((result) => {
    isDone = result;
  });
  failing.tell();
  let readsBeside = 0;
  while (isDone === null) {
    await database.read("SELECT 1");
    if (isDone === null) readsBeside++;
  }
  await checkpoint;
  expect(isDone).toBe(true);
  // Once the file is being attached, they wait.
  expect(readsBeside).toBeGreaterThan(10);
  expect(await failing.appended).toBe(2);
  expect(database.attachments).toBe(2);
  await database.close();
});
