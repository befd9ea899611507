import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { DataFolderError } from "../domain/data-folder.ts";
import { BULK_PLACE, listJournals, openJournals } from "../journal/journals.ts";
import { startOnFolder } from "../server/fixtures/start-on-folder.ts";

/** Opens a database and keeps it open. */
const HOLD = `const { DuckDBInstance } = require(${JSON.stringify(createRequire(import.meta.url).resolve("@duckdb/node-api"))});
DuckDBInstance.create(process.argv[1]).then((held) => { globalThis.held = held; console.log("open"); process.stdin.resume(); })`;

const FOLDERS = ["journal", "payloads", "blobs"];
/** It is a store, and has no mark of its own. */
const BULK = join("journal", BULK_PLACE.folder);

async function refusal(dataDir: string): Promise<string> {
  const error: unknown = await startOnFolder(dataDir).then(
    () => "started",
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DataFolderError);
  return error instanceof Error ? error.message : "";
}

async function runOnEvents(dataDir: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(join(dataDir, "events.duckdb"));
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

/** Makes of a data folder what it would be under the version before ids. */
async function takeIdsAway(dataDir: string): Promise<void> {
  for (const name of FOLDERS) rmSync(join(dataDir, name, "data-folder"));
  using state = new DatabaseSync(join(dataDir, "state.sqlite"));
  state.exec("DELETE FROM data_folder");
  await runOnEvents(dataDir, "DELETE FROM data_folder");
}

const readMark = (dataDir: string, name: string) => readFileSync(join(dataDir, name, "data-folder"), "utf8").trim();

const remove = (dataDir: string, name: string) => rmSync(join(dataDir, name), { recursive: true });

describe("a data folder", () => {
  test("keeps the id of its first start, in every store", async () => {
    using data = makeTempFolder();
    const { id } = await startOnFolder(data.path);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    for (const name of FOLDERS) expect(readMark(data.path, name)).toBe(id);
    expect((await startOnFolder(data.path)).id).toBe(id);
    expect(readdirSync(data.path).filter((name) => /new|accept/.test(name))).toEqual([]);
  });

  test("is refused when a store is missing or empty; names the file and the choices", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    for (const name of [...FOLDERS, BULK, "state.sqlite"]) {
      const path = join(data.path, name);
      renameSync(path, `${path}.kept`);
      const missing = await refusal(data.path);
      expect(missing).toContain(`${path} is missing`);
      expect(missing).toContain("Put it back, or the whole folder from a backup, or start in a new folder (DATA_DIR)");
      expect(existsSync(path)).toBe(false);
      if (name === "state.sqlite") writeFileSync(path, "");
      else mkdirSync(path);
      expect(await refusal(data.path)).toMatch(/is (missing or )?empty/);
      rmSync(path, { recursive: true });
      renameSync(`${path}.kept`, path);
    }
    await startOnFolder(data.path);
  });

  test("is refused when state is a database without tables, which stays as it is", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    remove(data.path, "state.sqlite");
    new DatabaseSync(join(data.path, "state.sqlite")).exec("PRAGMA journal_mode = wal");
    expect(await refusal(data.path)).toContain("state.sqlite is missing or empty");
    expect(await refusal(data.path)).toContain("state.sqlite is missing or empty");
  });

  test("is refused when the event database has rows and state has none", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    const state = new DatabaseSync(join(data.path, "state.sqlite"));
    state.exec("CREATE TABLE kept AS SELECT * FROM journal_positions; DELETE FROM journal_positions");
    expect(await refusal(data.path)).toContain("knows nothing of what is stored in");
    state.exec("INSERT INTO journal_positions SELECT * FROM kept; DROP TABLE kept");
    state.close();
    await startOnFolder(data.path);
  });

  test("goes on without a lost store when the operator accepts it, once", async () => {
    using data = makeTempFolder();
    const { id } = await startOnFolder(data.path);
    for (const name of [...FOLDERS, BULK]) {
      remove(data.path, name);
      const message = await refusal(data.path);
      const accepted = /touch (\S+)$/.exec(message)?.[1] ?? "";
      expect(accepted).toBe(join(data.path, `${name}.accept-loss`));
      writeFileSync(accepted, "");
      expect((await startOnFolder(data.path)).id).toBe(id);
      remove(data.path, name);
      expect(await refusal(data.path)).toContain(`${name} is missing`);
      writeFileSync(accepted, "");
      await startOnFolder(data.path);
    }
  });

  test("makes its event database again when it is missing, damaged or empty, and keeps what was there", async () => {
    using data = makeTempFolder();
    const { id } = await startOnFolder(data.path);
    const path = join(data.path, "events.duckdb");
    const damages = [
      () => rmSync(path),
      () => writeFileSync(path, ""),
      () => writeFileSync(path, "x".repeat(20_000)),
      () => runOnEvents(data.path, "DELETE FROM data_folder", "DELETE FROM applied_positions"),
      () => writeFileSync(`${path}.damaged`, "a wrong checksum"),
    ];
    for (const damage of damages) {
      await damage();
      expect((await startOnFolder(data.path)).id).toBe(id);
      expect(existsSync(`${path}.damaged`)).toBe(false);
    }
    // The newest two.
    expect(readdirSync(join(data.path, "damaged"))).toHaveLength(2);
  });

  test("is whole when its state was killed in the first batch of bulk, before the event database had it", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    const path = join(data.path, "events.duckdb");
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(`DELETE FROM applied_positions WHERE applied_sequence > ${BULK_PLACE.firstSequence}`);
    connection.closeSync();
    instance.closeSync();
    // A first segment, as there is one before anything of it is applied.
    const journal = await openJournals({ dir: join(data.path, "journal"), log: console, minFreeDiskBytes: 0 });
    await journal.bulk.append([Buffer.from("waits")]);
    for (const each of listJournals(journal)) await each.close();
    await startOnFolder(data.path);
    expect(existsSync(join(data.path, "damaged"))).toBe(false);
  });

  test("keeps an event database that another process has open", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    const path = join(data.path, "events.duckdb");
    const holder = spawn(process.execPath, ["-e", HOLD, path], { stdio: ["pipe", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    await expect(startOnFolder(data.path)).rejects.toThrow(/lock/);
    holder.kill("SIGKILL");
    await once(holder, "close");
    expect(existsSync(join(data.path, "damaged"))).toBe(false);
    await startOnFolder(data.path);
  });

  test("never goes on without its state", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    remove(data.path, "state.sqlite");
    writeFileSync(join(data.path, "state.sqlite.accept-loss"), "");
    const message = await refusal(data.path);
    expect(message).not.toContain("touch");
    for (const name of [...FOLDERS, "events.duckdb"]) expect(message).toContain(join(data.path, name));
  });

  test("is refused with a store of another folder, naming both", async () => {
    using data = makeTempFolder();
    using other = makeTempFolder();
    const { id } = await startOnFolder(data.path);
    const { id: otherId } = await startOnFolder(other.path);
    for (const name of [...FOLDERS, "events.duckdb", "state.sqlite"]) {
      const path = join(data.path, name);
      renameSync(path, `${path}.kept`);
      renameSync(join(other.path, name), path);
      const message = await refusal(data.path);
      for (const part of [id, otherId, join(data.path, "state.sqlite")]) expect(message).toContain(part);
      if (name !== "state.sqlite") expect(message).toContain(`${path} belongs to data folder ${otherId}`);
      renameSync(path, join(other.path, name));
      renameSync(`${path}.kept`, path);
    }
    expect((await startOnFolder(data.path)).id).toBe(id);
  });

  test("starts without a whole event database as long as nothing was stored", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    using state = new DatabaseSync(join(data.path, "state.sqlite"));
    state.exec("DELETE FROM journal_positions");
    // A kill while DuckDB makes its file leaves one that DuckDB cannot open.
    writeFileSync(join(data.path, "events.duckdb"), "x".repeat(4096));
    await startOnFolder(data.path);
  });
});

describe("a data folder of a version without ids", () => {
  test("gets an id at its first start", async () => {
    using data = makeTempFolder();
    const { id: before } = await startOnFolder(data.path);
    await takeIdsAway(data.path);
    const { id } = await startOnFolder(data.path);
    expect(id).not.toBe(before);
    remove(data.path, "journal");
    expect(await refusal(data.path)).toContain("journal is missing");
  });

  test("gets it where that version had made no blobs", async () => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    await takeIdsAway(data.path);
    remove(data.path, "blobs");
    await startOnFolder(data.path);
  });

  test.each(["journal", "payloads", "state.sqlite"])("is refused without %s", async (name) => {
    using data = makeTempFolder();
    await startOnFolder(data.path);
    await takeIdsAway(data.path);
    remove(data.path, name);
    const message = await refusal(data.path);
    expect(message).toContain(`${name} is missing`);
    expect(await refusal(data.path)).toBe(message);
  });

  test("is refused when one store has an id already", async () => {
    using data = makeTempFolder();
    const { id } = await startOnFolder(data.path);
    await takeIdsAway(data.path);
    writeFileSync(join(data.path, "payloads", "data-folder"), id);
    expect(await refusal(data.path)).toMatch(`payloads belongs to data folder ${id}`);
  });
});

describe("killed before each change of a start, a data folder starts again with one id", { timeout: 240_000 }, () => {
  /** Gives whether it was killed. With a folder for copies, it leaves there what a kill before each change would have left. */
  async function startUntilKilled(dataDir: string, killAt: number, copies?: string): Promise<boolean> {
    const script = fileURLToPath(new URL("../server/fixtures/start-until-killed.ts", import.meta.url));
    const child = spawn(process.execPath, [script, dataDir, String(killAt), ...(copies ? [copies] : [])], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code, signal] = await once(child, "close");
    if (signal !== "SIGKILL") expect(code).toBe(0);
    return signal === "SIGKILL";
  }

  async function startAgain(dataDir: string): Promise<void> {
    const { id } = await startOnFolder(dataDir);
    for (const name of FOLDERS) expect(readMark(dataDir, name)).toBe(id);
  }

  test.each([
    { what: "the first start", prepare: async () => {}, atLeast: 20 },
    {
      what: "the first start with ids",
      prepare: async (dataDir: string) => {
        await startOnFolder(dataDir);
        await takeIdsAway(dataDir);
      },
      atLeast: 10,
    },
  ])("$what", async ({ prepare, atLeast }) => {
    using data = makeTempFolder();
    using copies = makeTempFolder();
    await prepare(data.path);
    // A kill leaves what was written until then, which is what a copy of that moment has: one process serves for all of them.
    expect(await startUntilKilled(data.path, 0, copies.path)).toBe(false);
    const changes = readdirSync(copies.path).map(Number);
    expect(changes.length).toBeGreaterThanOrEqual(atLeast);
    for (const change of changes) await startAgain(join(copies.path, String(change)));

    const last = changes.length;
    const kills = [1, Math.round(last / 3), Math.round((2 * last) / 3), last].map(async (killAt) => {
      using killed = makeTempFolder();
      await prepare(killed.path);
      expect(await startUntilKilled(killed.path, killAt)).toBe(true);
      await startAgain(killed.path);
    });
    await Promise.all(kills);
  });
});
