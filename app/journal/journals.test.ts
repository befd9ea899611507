import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createJournalFolder, fillJournal } from "../../tests/support/journal-folder.ts";
import { readEnds, readPositions } from "../domain/journal-positions.ts";
import { findJournals } from "./find-journals.ts";
import type { Journal } from "./journal.ts";
import { BULK_PLACE, listJournals, openJournals, sumStats } from "./journals.ts";
import { openJournalReader } from "./open-journal-reader.ts";
import { segmentPath } from "./segment-files.ts";

const { firstSequence } = BULK_PLACE;

async function readAll(dir: string, { durable }: Journal, fromSequence: number): Promise<string[]> {
  const reader = await openJournalReader({ dir, fromSequence, log: console });
  const records = await reader.read(durable, { maxRecords: 100, maxBytes: 1e6 });
  await reader.close();
  return records.map(({ sequence, bytes }) => `${sequence} ${Buffer.from(bytes)}`);
}

test("a folder of a version with one journal goes on with it, and gets one for bulk", async () => {
  using folder = createJournalFolder();
  await fillJournal(folder, ["waits", "waits too"]);
  const journals = await openJournals(folder);
  const { express, bulk } = journals;
  expect(await bulk.append([Buffer.from("bulk")])).toBe(firstSequence);
  expect(await express.append([Buffer.from("an error")])).toBe(2);
  expect(readEnds(listJournals(journals))).toEqual([3, firstSequence + 1]);
  expect(sumStats(journals)).toMatchObject({ backlogRecords: 4 });
  const dirs = [folder.dir, join(folder.dir, BULK_PLACE.folder)] as const;
  expect(await readAll(dirs[0], express, 0)).toEqual(["0 waits", "1 waits too", "2 an error"]);
  expect(await readAll(dirs[1], bulk, firstSequence)).toEqual([`${firstSequence} bulk`]);
  for (const journal of listJournals(journals)) await journal.close();

  expect(await findJournals(folder.dir)).toMatchObject([
    { id: express.id, firstSequence: 0, dir: folder.dir, folder: "" },
    { id: bulk.id, firstSequence, dir: dirs[1], folder: "bulk/" },
  ]);
  const again = await openJournals(folder);
  expect(readEnds(listJournals(again))).toEqual([3, firstSequence + 1]);
  for (const journal of listJournals(again)) await journal.close();
});

test("nothing of a journal waits before its first record, and positions begin there", async () => {
  using folder = createJournalFolder();
  const journals = await openJournals(folder);
  const { bulk } = journals;
  expect(sumStats(journals)).toEqual({ backlogRecords: 0, backlogBytes: 0, oldestWaitsSince: null });
  expect(await readPositions({ appliedSequence: async () => 0 }, listJournals(journals))).toEqual([0, firstSequence]);
  await bulk.append([Buffer.from("one")]);
  expect(sumStats(journals)).toMatchObject({ backlogRecords: 1, oldestWaitsSince: expect.any(Number) });
  await bulk.release(firstSequence + 1);
  expect(sumStats(journals)).toEqual({ backlogRecords: 0, backlogBytes: 0, oldestWaitsSince: null });
  for (const journal of listJournals(journals)) await journal.close();
});

test("a journal of bulk whose segments were lost goes on behind what stores have applied", async () => {
  using folder = createJournalFolder();
  const first = await openJournals(folder);
  await first.bulk.append([Buffer.from("gone")]);
  for (const journal of listJournals(first)) await journal.close();
  const dir = join(folder.dir, BULK_PLACE.folder);
  rmSync(segmentPath(dir, firstSequence));
  const appliedSequence = async (id: string) => (id === first.bulk.id ? firstSequence + 5 : 0);
  const again = await openJournals({ ...folder, appliedSequence });
  expect(readEnds(listJournals(again))).toEqual([0, firstSequence + 5]);
  for (const journal of listJournals(again)) await journal.close();
});

test("bulk that waits leaves room for errors, and together they keep to one limit", async () => {
  using folder = createJournalFolder();
  const journals = await openJournals({ ...folder, maxBacklogBytes: 8_000 });
  const { express, bulk } = journals;
  for (let at = 0; at < 3; at++) await bulk.append([Buffer.alloc(2_000)]);
  expect(bulk.refusal(1_000)).toMatchObject({ reason: "backlog-full" });
  expect(express.refusal(1_000)).toBeNull();
  await express.append([Buffer.alloc(1_500)]);
  expect(express.refusal(1_000)).toMatchObject({ reason: "backlog-full" });
  await bulk.release(firstSequence + 3);
  expect(express.refusal(1_000)).toBeNull();
  for (const journal of listJournals(journals)) await journal.close();
});

test("where the journal of bulk cannot be opened, none stays open", async () => {
  using folder = createJournalFolder();
  mkdirSync(join(folder.dir, BULK_PLACE.folder, "id"), { recursive: true });
  await expect(openJournals(folder)).rejects.toThrow();
  rmSync(join(folder.dir, BULK_PLACE.folder), { recursive: true });
  const journals = await openJournals(folder);
  for (const journal of listJournals(journals)) await journal.close();
});
