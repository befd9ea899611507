import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { rebuildEvents } from "../../app/jobs/rebuild/rebuild-events.ts";
import { eventDatabaseFiles } from "../../app/stores/duckdb/database-files.ts";
import { readDayFiles, toDayFileVersion } from "../../app/stores/duckdb/paired-ids.ts";
import type { PartTable } from "../../app/stores/events/row-keys.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { openMovingFolder, RECORDS, RECORDS_OF_DAY, SPANS_OF_RECORD } from "./moving-folder.ts";

const CHILD = join(import.meta.dirname, "move-days-until-killed.ts");
/** By chance; more by hand: `MOVE_KILLS=200`. */
const KILLS = Number(process.env.MOVE_KILLS ?? 8);
const DAYS = RECORDS / RECORDS_OF_DAY;

/** Gives whether it came to the end. */
async function run(dir: string, killAfterMs: number | null): Promise<boolean> {
  const child = spawn(process.execPath, [CHILD, dir], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.stdout.resume();
  const timer = killAfterMs === null ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  if (signal === null && code !== 0) throw new Error(`it ended with ${code}`);
  return signal === null;
}

/** Rows that readers see, by table, and those of the records that are applied. */
async function count(dir: string) {
  const stores = await openMovingFolder(dir);
  await rebuildEvents(stores);
  const rows = { spans: 0, logs: 0, errors: 0 } as Record<string, number>;
  for (const each of await stores.events.sumStored()) rows[each.signal] = (rows[each.signal] ?? 0) + each.rows;
  const applied = await stores.events.appliedSequence(stores.journalId);
  const { signals: ahead } = await stores.events.appliedAhead(stores.journalId);
  await stores.payloads.close();
  await stores.events.close();
  return {
    rows: { spans: rows.spans, logs: rows.logs },
    // The row log may have a part of a batch that was not applied: a rebuild brings its rows, and the batch is applied without them.
    applied: {
      spans: Math.max(applied, ahead.spans ?? 0) * SPANS_OF_RECORD,
      logs: (Math.max(applied, ahead.logs ?? 0) * SPANS_OF_RECORD) / 2,
    },
  };
}

/** Every row of the folder, wherever it lies, and what is summed. */
async function readAll(dir: string) {
  const instance = await DuckDBInstance.create(join(dir, "events.duckdb"));
  const connection = await instance.connect();
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const days = join(dir, "days");
  // How often a file was written again depends on when a process was killed.
  const files = (await readdir(days)).map((name) => name.replace(/-\d{4}\.parquet$/, "")).sort();
  const rows: Record<string, unknown> = { files };
  for (const [table, id] of [
    ["spans", "span_id"],
    ["logs", "body"],
  ]) {
    const paths = (await readdir(days)).filter((name) => name.includes(`-${table}-`)).map((name) => join(days, name));
    const version = toDayFileVersion(table as PartTable);
    const moved = readDayFiles(paths.map((path) => ({ path, version })));
    rows[table as string] = await read(
      `SELECT count(*) AS rows, count(DISTINCT ${id}) AS ids, bit_xor(hash(COLUMNS(* EXCLUDE (ordinal)))) FROM (
         SELECT * FROM ${table} UNION ALL BY NAME SELECT * EXCLUDE (long_texts) FROM ${moved}
       )`,
    );
  }
  rows.long = await read(
    `SELECT count(*) AS rows, bit_xor(hash(long_texts)) AS hash FROM read_parquet('${days}/*-spans-*.parquet') WHERE long_texts IS NOT NULL`,
  );
  rows.sums = await read("SELECT sum(spans) AS spans FROM span_minutes");
  connection.closeSync();
  instance.closeSync();
  return rows;
}

test("kill -9 while days are moved: each row is there once, in the store, and after the store was lost", {
  timeout: 400_000,
}, async () => {
  using folder = makeTempFolder();
  const [dir, whole] = [join(folder.path, "killed"), join(folder.path, "whole")];
  expect(await run(whole, null)).toBe(true);
  const expected = await readAll(whole);
  expect(expected.files).toHaveLength(2 * DAYS);
  expect(expected.spans).toMatchObject([{ rows: `${RECORDS * SPANS_OF_RECORD}`, ids: `${RECORDS * SPANS_OF_RECORD}` }]);

  let kills = 0;
  while (kills < KILLS) {
    if (await run(dir, 30 + Math.random() * 1_000)) await rm(dir, { recursive: true });
    else kills++;
    if (!existsSync(dir)) continue;
    // A lost store finds the rows of moved days in their files, and the others in the row log.
    const isLost = kills % 2 === 0;
    if (isLost) for (const path of eventDatabaseFiles(join(dir, "events.duckdb"))) await rm(path, { force: true });
    const { rows, applied } = await count(dir);
    expect(rows).toEqual(applied);
  }
  while (!(await run(dir, null)));
  expect(await readAll(dir)).toEqual(expected);

  await cp(dir, `${dir}-lost`, { recursive: true });
  await rm(join(`${dir}-lost`, "events.duckdb"));
  expect(await run(`${dir}-lost`, null)).toBe(true);
  expect(await readAll(`${dir}-lost`)).toEqual(expected);
});
