import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rebuildEvents } from "../../app/jobs/rebuild/rebuild-events.ts";
import { openOldStores, readStoredRows, unpackOldFolder } from "../support/old-data-folder.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const CHILD = join(import.meta.dirname, "convert-until-killed.ts");

/** Three files of the folder have something to convert, and each place is passed by each of them. */
const KILLS = [
  ["while a file is written", 2],
  ["between file and store", 2],
  ["behind the store", 1],
  ["between file and store", 3],
  ["behind the store", 2],
] as const;

const TABLES = {
  spans: "SELECT * EXCLUDE (ordinal) FROM spans ORDER BY started_us, span_id",
  logs: "SELECT * EXCLUDE (ordinal) FROM logs ORDER BY occurred_us, body",
  items: "SELECT * EXCLUDE (ordinal, identity_ordinal) FROM items ORDER BY sequence, item_index",
};

async function convert(dir: string, place = "", files = 0): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [CHILD, dir, place, `${files}`], { stdio: ["ignore", "ignore", "inherit"] });
  const [, signal] = await once(child, "close");
  return signal;
}

async function readAll(dir: string) {
  const rows: Record<string, unknown> = {};
  for (const [table, sql] of Object.entries(TABLES)) rows[table] = await readStoredRows(dir, sql);
  return rows;
}

test("kill -9 while what was stored whole becomes rows: each is there once, in the store and in the files", {
  timeout: 240_000,
}, async () => {
  using folder = makeTempFolder();
  const [dir, whole] = [join(folder.path, "killed"), join(folder.path, "whole")];
  unpackOldFolder("b53d02e", whole);
  expect(await convert(whole)).toBeNull();
  const expected = await readAll(whole);
  expect(expected.spans).toHaveLength(9);

  unpackOldFolder("b53d02e", dir);
  for (const [place, files] of KILLS) expect(await convert(dir, place, files)).toBe("SIGKILL");
  expect(await convert(dir)).toBeNull();
  expect(await readAll(dir)).toEqual(expected);

  rmSync(join(dir, "events.duckdb"));
  const lost = await openOldStores(dir);
  await rebuildEvents(lost);
  await lost.close();
  expect(await readAll(dir)).toEqual(expected);
});
