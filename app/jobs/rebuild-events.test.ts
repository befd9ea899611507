import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRebuildFolder } from "../../tests/crash/rebuild-folder.ts";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { event, eventId, JOURNAL, NOON, projects, toRowBatch } from "../stores/event-store-contract/fixture.ts";
import { encodeLoggedRows } from "../stores/events/row-log.ts";
import { toFileName } from "../stores/files/payload-file-names.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import { rebuildEvents } from "./rebuild-events.ts";

/** Three events whose payloads have a block each, and then a lost event store. Gives where the payloads lie. */
async function makeLostStore(dir: string) {
  const { events, payloads, ...others } = await openRebuildFolder(dir);
  await rebuildEvents({ events, payloads, ...others });
  const batch = toRowBatch({ journalId: JOURNAL, upTo: 3, events: [0, 1, 2].map((sequence) => event(sequence)) });
  const bodies = [0, 1, 2].map((sequence) => Buffer.alloc(600_000, String(sequence)));
  const entry = Promise.resolve(encodeLoggedRows({ ...batch, from: 0 }, (place) => place));
  const refs = await payloads.append(bodies, { receivedAt: NOON, signal: "errors", entry });
  await payloads.close();
  await events.close();
  await rm(join(dir, "events.duckdb"));
  return refs;
}

test.each([
  ["the body of a block", 60, ["1"]],
  // Then nobody knows which of the blocks before the entry is missing.
  ["the header of a block", 0, ["0", "1", "2"]],
])("%s that cannot be read: rows come back, and count as damaged once", async (_, at, damaged) => {
  using data = makeTempFolder();
  await using database = await createSqliteStateDatabase();
  const { damage } = await database.connect();
  const [, second] = await makeLostStore(data.path);
  const path = join(data.path, "payloads", toFileName(second?.fileId ?? 0));
  const bytes = await readFile(path);
  const offset = (second?.offset ?? 0) + at;
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  await writeFile(path, bytes);

  const noted: string[] = [];
  const noteDamaged: typeof damage.noteDamaged = (items) => {
    noted.push(...items.map(({ key }) => key));
    return damage.noteDamaged(items);
  };
  const counts: Array<number | undefined> = [];
  for (let round = 0; round < 2; round++) {
    const stores = await openRebuildFolder(data.path);
    const done = await rebuildEvents({ ...stores, damage: { noteDamaged } });
    counts.push(done?.damagedItems);
    expect(done?.rows).toBe(3);
    for (const sequence of [0, 1, 2])
      expect(await stores.events.getEvent(eventId(sequence), projects(1))).not.toBeNull();
    await stores.payloads.close();
    await stores.events.close();
    await rm(join(data.path, "events.duckdb"));
  }
  expect(new Set(noted)).toEqual(new Set(damaged.map((name) => eventId(Number(name)))));
  expect(counts).toEqual([damaged.length, 0]);
});
