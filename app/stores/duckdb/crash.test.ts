import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { event, eventId, filter, NOON, projects, toRowBatch } from "../event-store-contract/fixture.ts";
import { countSummed, span, TRACE } from "../event-store-contract/span-fixture.ts";
import { createDuckdbEventDatabase, type DuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { ITEM_IDENTITIES, identifiedItem } from "./fixtures/identified-item.ts";

const KILLS = 8;

/** Runs the writer until it has printed a line and some more time has passed, then kills it; gives the lines. */
async function runUntilKilled(name: string, database: DuckdbEventDatabase, moreMs: number): Promise<string[]> {
  const script = fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, database.path, join(database.folder, "temp")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await once(child.stdout, "data");
  const exit = once(child, "close");
  setTimeout(() => child.kill("SIGKILL"), moreMs);
  const [, signal] = await exit;
  expect(signal).toBe("SIGKILL");
  return printed.slice(0, printed.lastIndexOf("\n")).split("\n");
}

test("after a kill at any moment, position and rows agree, every id is known, and nothing acknowledged is missing", async () => {
  await using database = await createDuckdbEventDatabase();
  let position = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const lines = await runUntilKilled("append-until-killed", database, 50 + ((kill * 61.3) % 900));
    const acknowledged = Number(lines.at(-1));
    const store = await database.open();
    const applied = await store.appliedSequence("crash");
    expect(applied).toBeGreaterThanOrEqual(acknowledged);
    expect(applied).toBeLessThanOrEqual(acknowledged + 100);
    expect(applied).toBeGreaterThan(position);
    position = applied;

    expect(await store.count(filter())).toEqual({ events: applied, users: applied });
    expect(await store.countItems({ projectIds: projects(1), from: null, to: null })).toEqual([
      { type: "attachment", quantity: applied / 10 },
    ]);
    const keys = Array.from({ length: applied + 50 }, (_, sequence) => ({ projectId: 1, identity: eventId(sequence) }));
    expect((await store.findExisting(keys)).size).toBe(applied);
    const itemKeys = keys.map((_, sequence) => ({ projectId: 1, identity: eventId(ITEM_IDENTITIES + sequence) }));
    expect((await store.findExisting(itemKeys)).size).toBe(applied / 10);

    // The journal gives the last records again, with new ones after them.
    const replay = Array.from({ length: 150 }, (_, index) => applied - 50 + index);
    const events = replay.map((sequence) => event(sequence, { at: NOON + sequence, userKey: `id:${sequence}` }));
    const items = replay.slice(50, 60).map((sequence) => identifiedItem(sequence));
    expect(await store.append(toRowBatch({ journalId: "crash", upTo: applied + 100, events, items }))).toEqual({
      stored: 110,
      duplicates: 50,
    });
    await store.close();
  }
});

test("after a kill while batches of two journals are written beside each other, each has its rows up to its position", async () => {
  await using database = await createDuckdbEventDatabase();
  for (let kill = 0; kill < KILLS; kill++) {
    const lines = await runUntilKilled("append-beside-until-killed", database, 50 + ((kill * 61.3) % 900));
    const store = await database.open();
    const applied = { crash: 0, bulk: 0 };
    for (const journalId of ["crash", "bulk"] as const) {
      const last = lines.findLast((line) => line.startsWith(journalId))?.split(" ")[1];
      applied[journalId] = await store.appliedSequence(journalId);
      if (last === undefined) continue;
      expect(applied[journalId]).toBeGreaterThanOrEqual(Number(last));
      expect(applied[journalId]).toBeLessThanOrEqual(Number(last) + 100);
    }
    const { crash, bulk } = applied;
    expect(await store.count(filter())).toEqual({ events: crash, users: crash });
    expect((await store.findTrace({ projectIds: projects(1), traceId: TRACE }))?.spans ?? 0).toBe(bulk);

    // Both journals give their last records again, with new ones after them.
    const again = (upTo: number) => Array.from({ length: 150 }, (_, index) => upTo - 50 + index).filter((n) => n >= 0);
    const events = again(crash).map((n) => event(n, { at: NOON + n, userKey: `id:${n}` }));
    const spans = again(bulk).map((n) => span(n));
    const appended = await Promise.all([
      store.append(toRowBatch({ journalId: "crash", upTo: crash + 100, events })),
      store.append(toRowBatch({ journalId: "bulk", upTo: bulk + 100, spans })),
    ]);
    expect(appended).toEqual([crash, bulk].map((n) => ({ stored: 100, duplicates: Math.min(50, n) })));
    await store.close();
  }
});

test("after a kill at any moment, each span is there once and summed once", async () => {
  await using database = await createDuckdbEventDatabase();
  let summed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const lines = await runUntilKilled("sum-until-killed", database, 100 + ((kill * 61.3) % 900));
    const acknowledged = Number(lines.at(-1));
    const store = await database.open();
    const applied = await store.appliedSequence("crash");
    expect(applied).toBeGreaterThanOrEqual(acknowledged);
    // A whole hour, which is merged meanwhile.
    const all = { projectIds: projects(1), from: NOON, to: NOON + 3_600_000 };
    const sums = async () => [
      await countSummed(store, all),
      (await store.findTrace({ projectIds: projects(1), traceId: TRACE }))?.spans,
    ];
    const plans = async () =>
      (await store.listAttributeValues({ ...all, signal: "spans", key: "plan" }, 9))[0]?.count ?? 0;
    expect(await sums()).toEqual([applied, applied]);
    summed = Math.max(summed, await plans());
    while (await store.rollUp(Number.POSITIVE_INFINITY));
    expect(await sums()).toEqual([applied, applied]);
    expect(await plans()).toBe(applied);
    await store.close();
  }
  expect(summed).toBeGreaterThan(0);
});
