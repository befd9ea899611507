import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRebuildFolder } from "../../../tests/crash/rebuild-folder.ts";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { makeScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import { event, eventId, JOURNAL, NOON, projects, toRowBatch } from "../../stores/event-store-contract/fixture.ts";
import { span } from "../../stores/event-store-contract/span-fixture.ts";
import { isNotingLostRows, newRebuild } from "../../stores/events/event-rebuild.ts";
import { encodeLoggedRows } from "../../stores/events/row-log.ts";
import { toFileName } from "../../stores/files/payload-file-names.ts";
import { createSqliteStateDatabase } from "../../stores/sqlite/sqlite-state-database.ts";
import { rebuildEvents } from "./rebuild-events.ts";

const ALL = { from: 0, to: NOON + 30 * DAY_MS };

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
    const done = await rebuildEvents({ ...stores, damage: { ...damage, noteDamaged } });
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

test("rows of an entry that cannot be read count as damaged once, and are not missed again", async () => {
  using data = makeTempFolder();
  await using database = await createSqliteStateDatabase();
  const { damage, outcomes, expirations } = await database.connect();
  await makeLostStore(data.path);
  const { payloads, events } = await openRebuildFolder(data.path);
  const batch = toRowBatch({ journalId: JOURNAL, upTo: 5, events: [event(3), event(4)] });
  const [ref] = await payloads.append([Buffer.from("{}"), Buffer.from("{}")], {
    receivedAt: NOON,
    signal: "errors",
    entry: Promise.resolve(encodeLoggedRows({ ...batch, from: 3 }, (place) => place)),
  });
  await payloads.close();
  await events.close();
  const path = join(data.path, "payloads", toFileName(ref?.fileId ?? 0));
  const bytes = await readFile(path);
  const at = (ref?.offset ?? 0) + 45;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
  // Those of the lost rows, those that are back, and one of another hour that has no row for another reason.
  const accepted = { projectId: 1, category: "error", outcome: "accepted", reason: "" } as const;
  await outcomes.addOutcomes([
    { ...accepted, quantity: 5, receivedAt: NOON },
    { ...accepted, quantity: 1, receivedAt: NOON - 2 * DAY_MS },
    { ...accepted, category: "monitor", quantity: 7, receivedAt: NOON },
  ]);

  const done: unknown[] = [];
  for (let round = 0; round < 2; round++) {
    await rm(join(data.path, "events.duckdb"));
    const stores = await openRebuildFolder(data.path);
    const { rows, damagedEntries, lostItems } =
      (await rebuildEvents({ ...stores, damage, expirations })) ?? expect.fail("not done");
    done.push([rows, damagedEntries, lostItems]);
    await stores.payloads.close();
    await stores.events.close();
  }
  expect(done).toEqual([
    [3, 1, 2],
    [3, 1, 0],
  ]);
  const scope = makeScope({ organizationId: 1, projectIds: [1], rights: [] });
  const sums = await outcomes.sumOutcomes(scope, {
    from: NOON,
    to: NOON + 1,
    bucketMs: null,
    groupBy: ["category", "outcome", "reason"],
  });
  expect(
    sums.map(({ category, outcome, reason, quantity }) => `${category} ${outcome} ${reason} ${quantity}`).sort(),
  ).toEqual(["error accepted  3", "error damaged row_lost 2", "monitor accepted  7"]);
});

test("events that come while rows are away are stored: repeats are told, and the others stand behind", async () => {
  using data = makeTempFolder();
  await makeLostStore(data.path);
  const { events, payloads, ...others } = await openRebuildFolder(data.path);
  const seen: unknown[] = [];
  const scope = projects(1);
  const list = async () =>
    (await events.listEvents({ ...ALL, projectIds: scope }, { cursor: null, limit: 10 })).events.map(
      (each) => each.eventId,
    );
  const restore = events.rebuild.restore;
  let whenAppended: Promise<unknown> | undefined;
  const rebuilding = {
    ...events,
    rebuild: {
      ...events.rebuild,
      async restore(...step: Parameters<typeof restore>) {
        await whenAppended;
        await restore(...step);
      },
    },
  };
  expect(isNotingLostRows(events)).toBe(true);
  await rebuildEvents(
    { events: rebuilding, payloads, ...others },
    {
      onNoted() {
        whenAppended = (async () => {
          expect(isNotingLostRows(events)).toBe(false);
          expect(await events.appliedSequence(JOURNAL)).toBe(3);
          const keys = [1, 9].map((number) => ({ projectId: 1, identity: eventId(number) }));
          seen.push([...(await events.findExisting(keys))]);
          // One that is sent again, at the instant of the lost ones, and a new one.
          const batch = toRowBatch({
            journalId: JOURNAL,
            upTo: 5,
            events: [event(3, { eventId: eventId(1) }), event(4)],
          });
          seen.push(await events.append(batch), await list());
        })();
      },
    },
  );
  expect(seen).toEqual([[`1:${eventId(1)}`], { stored: 1, duplicates: 1 }, [eventId(4)]]);
  expect(await list()).toEqual([4, 2, 1, 0].map(eventId));
  // What was noted is forgotten.
  expect(await events.findExisting([{ projectId: 1, identity: eventId(4) }])).toHaveLength(1);
  await payloads.close();
  await events.close();
  const again = await openRebuildFolder(data.path);
  expect(again.events.rebuild.state()).toBeNull();
  await again.events.append(toRowBatch({ journalId: JOURNAL, upTo: 6, events: [event(5)] }));
  const [newest] = (await again.events.listEvents({ ...ALL, projectIds: scope }, { cursor: null, limit: 1 })).events;
  expect(newest?.eventId).toBe(eventId(5));
  await again.payloads.close();
  await again.events.close();
});

test("a day by itself: what the digest brings again is left to it", async () => {
  using data = makeTempFolder();
  const { events, payloads, ...others } = await openRebuildFolder(data.path);
  await rebuildEvents({ events, payloads, ...others });
  const days = [NOON - DAY_MS, NOON, NOON + DAY_MS];
  for (const [place, at] of days.entries()) {
    const batch = toRowBatch({
      journalId: JOURNAL,
      upTo: place * 2 + 2,
      events: [event(place * 2, { at })],
      spans: [span(place * 2 + 1, { receivedAt: at })],
    });
    for (const [signal, table] of [
      ["errors", "events"],
      ["spans", "spans"],
    ] as const) {
      const rows = batch.rows.filter((each) => each.table === table);
      const entry = Promise.resolve(encodeLoggedRows({ ...batch, rows, from: place * 2 }, (item) => item));
      await payloads.append(signal === "errors" ? [Buffer.from("{}")] : [], { receivedAt: at, signal, entry });
    }
    // A crash came before the rows of the last one.
    if (place < 2) await events.append(batch);
  }
  const received = { from: NOON - DAY_MS / 2, to: NOON + 2 * DAY_MS };
  await events.rebuild.begin({ ...newRebuild("was asked for", 0), received });
  const scope = projects(1);
  const list = async () =>
    (await events.listEvents({ ...ALL, projectIds: scope }, { cursor: null, limit: 10 })).events.map(
      (each) => each.eventId,
    );
  expect(await list()).toEqual([eventId(0)]);
  const done = await rebuildEvents({ events, payloads, ...others });
  expect(done?.rows).toBe(2);
  expect(await list()).toEqual([eventId(2), eventId(0)]);
  expect(await events.appliedSequence(JOURNAL)).toBe(4);
  await payloads.close();
  await events.close();
});
