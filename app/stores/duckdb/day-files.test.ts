import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DayFiles } from "./day-files.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";

const NAME = "2026-05-20-spans-0000.parquet";

/** Opens a folder with one file, which the database does not know and cannot read. */
async function openUnreadable(message: string) {
  const folder = await mkdtemp(join(tmpdir(), "culprit-days-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "days"));
  await writeFile(join(folder, "days", NAME), "PAR1");
  const known = Promise.resolve([]);
  const read = Promise.reject(new Error(message));
  read.catch(() => {});
  const answers = [known, read];
  const database = { inBackground: () => answers.shift(), write: async () => {} } as unknown as DuckdbDatabase;
  return { folder, files: DayFiles.open(database, join(folder, "days")) };
}

test("a file whose end is damaged is moved aside", async () => {
  const { folder, files } = await openUnreadable("Invalid Input Error: No magic bytes found at end of file");
  expect((await files).listDamaged()).toMatchObject([{ name: NAME }]);
  expect(await readdir(join(folder, "damaged"))).toEqual([NAME]);
});

test.each([
  ["there was no memory", "Out of Memory Error: could not allocate block of size 256.0 KiB (63.9 MiB/64.0 MiB used)"],
  ["it may not be opened", `IO Error: Cannot open file "/data/days/${NAME}": Permission denied`],
])("a file that was not read because %s stays where it is, and the store does not open", async (_, message) => {
  const { folder, files } = await openUnreadable(message);
  await expect(files).rejects.toThrow(message);
  expect(await readdir(folder)).toEqual(["days"]);
});
