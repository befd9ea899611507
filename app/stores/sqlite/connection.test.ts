import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SqliteConnection } from "./connection.ts";

let folder: string;
let path: string;
let open: SqliteConnection[];

async function connect(busyTimeoutMs?: number): Promise<SqliteConnection> {
  const connection = await SqliteConnection.open({ path, ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }) });
  open.push(connection);
  return connection;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "culprit-connection-"));
  path = join(folder, "new", "state.db");
  open = [];
});

afterEach(() => {
  for (const connection of open) connection.close();
  rmSync(folder, { recursive: true, force: true });
});

test("what waits for the commit is called after it, and never for what was rolled back", async () => {
  const db = await connect();
  const called: string[] = [];
  await expect(
    db.write(() => {
      db.afterCommit(() => called.push("rolled back"));
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await db.write(() => db.afterCommit(() => called.push("committed")));
  await db.write(() => {});
  expect(called).toEqual(["committed"]);
});

describe("parameters", () => {
  test("a name without a value is an error, not NULL", async () => {
    const db = await connect();
    expect(() => db.get("SELECT :a AS a, :b AS b", { a: 1 })).toThrow("SQL parameter :b is missing");
    expect(() => db.get("SELECT :a AS a")).toThrow("SQL parameter :a is missing");
  });

  test("NaN is not written as NULL", async () => {
    const db = await connect();
    db.exec("CREATE TABLE t (a INTEGER)");
    expect(() => db.run("INSERT INTO t (a) VALUES (:a)", { a: Number.NaN })).toThrow(":a is NaN");
    expect(db.all("SELECT a FROM t")).toEqual([]);
  });

  test("a missing value in the middle of a write does not take the one before", async () => {
    const db = await connect();
    db.exec("CREATE TABLE t (a TEXT, b TEXT)");
    const sql = "INSERT INTO t (a, b) VALUES (:a, :b)";
    db.run(sql, { a: "1", b: "2" });
    expect(() => db.run(sql, { a: "3" })).toThrow(":b is missing");
  });

  test("more values than names do no harm", async () => {
    const db = await connect();
    expect(db.get<{ a: number }>("SELECT :a AS a", { a: 1, other: 2 })?.a).toBe(1);
  });

  test("texts come back whole, a NUL included", async () => {
    const db = await connect();
    expect(db.get<{ a: string }>("SELECT :a AS a", { a: "x\u0000y😀" })?.a).toBe("x\u0000y😀");
  });
});

describe("writing", () => {
  test("what throws leaves nothing behind, and the next write works", async () => {
    const db = await connect();
    db.exec("CREATE TABLE t (a INTEGER)");
    const failing = db.write(() => {
      db.run("INSERT INTO t (a) VALUES (1)");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await db.write(() => db.run("INSERT INTO t (a) VALUES (2)"));
    expect(db.all<{ a: number }>("SELECT a FROM t").map((row) => row.a)).toEqual([2]);
  });

  test("a write waits for another writer without blocking its thread", async () => {
    const db = await connect();
    const other = await connect();
    db.exec("CREATE TABLE t (a INTEGER)");
    other.exec("BEGIN IMMEDIATE");
    const written = db.write(() => db.run("INSERT INTO t (a) VALUES (1)"));
    // Were the thread blocked, this timer could never end the other transaction.
    await sleep(30);
    expect(db.all("SELECT a FROM t")).toEqual([]);
    other.exec("COMMIT");
    expect(await written).toMatchObject({ changedRows: 1 });
  });

  test("a write gives up when the other writer does not finish", async () => {
    const db = await connect(40);
    const other = await connect();
    other.exec("BEGIN IMMEDIATE");
    await expect(db.write(() => db.exec("CREATE TABLE t (a INTEGER)"))).rejects.toMatchObject({ errcode: 5 });
    other.exec("ROLLBACK");
    await db.write(() => db.exec("CREATE TABLE t (a INTEGER)"));
  });

  test("writes that start together on one connection come one after the other", async () => {
    const db = await connect();
    db.exec("CREATE TABLE t (a INTEGER)");
    await Promise.all([1, 2, 3].map((a) => db.write(() => db.run("INSERT INTO t (a) VALUES (:a)", { a }))));
    expect(db.get<{ count: number }>("SELECT count(*) AS count FROM t")?.count).toBe(3);
  });
});

describe("reading", () => {
  test("several statements see one state", async () => {
    const db = await connect();
    const other = await connect();
    db.exec("CREATE TABLE t (a INTEGER)");
    const counts = db.read(() => {
      const count = () => db.get<{ count: number }>("SELECT count(*) AS count FROM t")?.count;
      const before = count();
      other.exec("INSERT INTO t (a) VALUES (1)");
      return [before, count()];
    });
    expect(counts).toEqual([0, 0]);
    expect(db.get<{ count: number }>("SELECT count(*) AS count FROM t")?.count).toBe(1);
  });

  test("a walk that is left early can be started again", async () => {
    const db = await connect();
    const first = () => {
      for (const row of db.iterate<{ value: number }>("SELECT value FROM json_each('[1,2,3]')")) return row.value;
    };
    expect([first(), first()]).toEqual([1, 1]);
  });
});

test("commits are synced, in a write-ahead log that is kept short", async () => {
  const db = await connect();
  expect(db.get<{ journal_mode: string }>("PRAGMA journal_mode")?.journal_mode).toBe("wal");
  expect(db.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous).toBe(2);
  expect(db.get<{ wal_autocheckpoint: number }>("PRAGMA wal_autocheckpoint")?.wal_autocheckpoint).toBe(4_000);
});
