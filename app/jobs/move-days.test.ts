import { readdir, readFile, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  appendBatch,
  FIRST_DAY,
  openMovingFolder,
  RECORDS_OF_DAY,
  ROWS_OF_SLICE,
  SILENT,
  SPANS_OF_RECORD,
} from "../../tests/crash/moving-folder.ts";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { checkDays } from "../backup/check-days.server.ts";
import { MIB } from "../domain/bytes.ts";
import { ALWAYS } from "../domain/search/condition.ts";
import { toCutoffs } from "../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import { projects } from "../stores/event-store-contract/fixture.ts";
import { span, spanId, TRACE, toSpanBatch } from "../stores/event-store-contract/span-fixture.ts";
import { newRebuild } from "../stores/events/event-rebuild.ts";
import type { DayOfSignal, MovedDay } from "../stores/events/moved-days.ts";
import { toPartKey } from "../stores/events/row-keys.ts";
import { encodeLoggedRows, readLoggedTables } from "../stores/events/row-log.ts";
import type { HeldCount } from "../stores/state/damage-store.ts";
import { createMoveDaysJob } from "./move-days.ts";
import { countFoundRows } from "./rebuild/count-found-rows.ts";
import { rebuildEvents } from "./rebuild/rebuild-events.ts";
import { restoreLoggedDays } from "./rebuild/restore-logged-days.ts";

const SPANS_FILE = "2026-05-20-spans-0000.parquet";
const ALL = { projectIds: projects(1, 2), traceId: TRACE, limit: 1_000_000 };
const DAY = FIRST_DAY;
const NEXT_DAY_ENDS = (FIRST_DAY + 2) * DAY_MS;

type Stores = Awaited<ReturnType<typeof openMovingFolder>>;

/** A day of spans and logs, and one record of the next. */
async function openFilled(dir: string): Promise<Stores> {
  const stores = await openMovingFolder(dir);
  await rebuildEvents(stores);
  await stores.events.oldItems.noteConverted(0);
  for (let at = 0; at <= RECORDS_OF_DAY; at += 2) await appendBatch(stores, at);
  return stores;
}

/** One whose days are moved by slices. */
async function openSlicing(dir: string): Promise<Stores> {
  const stores = await openMovingFolder(dir, { rowsOfSlice: ROWS_OF_SLICE });
  await rebuildEvents(stores);
  await stores.events.oldItems.noteConverted(0);
  return stores;
}

async function openAgain(dir: string, { isLost = false } = {}, change: Partial<Stores> = {}): Promise<Stores> {
  if (isLost) await rm(join(dir, "events.duckdb"));
  const stores = { ...(await openMovingFolder(dir)), ...change };
  await rebuildEvents(stores);
  return stores;
}

/** @param now an hour after the day is over, unless said */
async function move(
  { events, payloads, journalId }: Stores,
  now = (DAY + 1) * DAY_MS + HOUR_MS,
  countFound: (days: readonly DayOfSignal[]) => Promise<number> = async () => 0,
  backlog = { records: 0, bytes: 0 },
): Promise<void> {
  const job = createMoveDaysJob(
    { events, payloads, journals: [{ id: journalId, firstSequence: 0, durable: { sequence: 0 } }] },
    {
      backlog: () => backlog,
      sealDigest: async () => undefined,
      reserveBytes: 0,
      countLost: async () => 0,
      countFound,
      log: SILENT,
      now: () => now,
    },
  );
  while ((await job.run(new AbortController().signal)) === "worked");
}

async function close({ events, payloads }: Stores): Promise<void> {
  await payloads.close();
  await events.close();
}

/** Every span and line as it is read, and what is summed of them. */
async function readAll({ events }: Stores) {
  while (await events.rollUp(Number.POSITIVE_INFINITY));
  const spans = await events.listSpans({ ...ALL, limit: 10_000 });
  const logs = await events.listTraceLogs({ ...ALL, limit: 10_000 });
  return {
    spans: spans.map(({ sequence, spanId, attributes }) => `${sequence} ${spanId} ${attributes}`).sort(),
    logs: logs.map(({ sequence, body }) => `${sequence} ${body}`).sort(),
    stored: (await events.sumStored()).map((each) => JSON.stringify(each)).sort(),
    expired: await events.countExpired(
      toCutoffs(() => NEXT_DAY_ENDS),
      toCutoffs(() => 0),
    ),
  };
}

/** Rows that the row log has, by day. */
async function readLogged({ payloads }: Stores): Promise<number> {
  let rows = 0;
  for (const { fileId } of await payloads.listFiles())
    for await (const part of payloads.readLog(fileId, 0))
      if (part.kind === "entry") for (const table of readLoggedTables(part.bytes)) rows += table.rows.count;
  return rows;
}

test("a day that is over leaves the table and the row log, and is read as before; one that is not stays", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  const before = await readAll(stores);
  await move(stores, (DAY + 1) * DAY_MS + HOUR_MS - 1);
  expect(stores.events.movedDays.list()).toEqual([]);
  await move(stores);
  expect(stores.events.movedDays.list()).toMatchObject([
    { day: DAY, signal: "spans", rows: RECORDS_OF_DAY * SPANS_OF_RECORD, isStripped: true },
    { day: DAY, signal: "logs", rows: (RECORDS_OF_DAY * SPANS_OF_RECORD) / 2, isStripped: true },
  ]);
  expect(await readLogged(stores)).toBe(SPANS_OF_RECORD * 1.5);
  expect(await readAll(stores)).toEqual(before);
  await close(stores);
  const again = await openAgain(folder.path);
  expect(await readAll(again)).toEqual(before);
  // A long text is whole where its span is opened: the first of each record has one. Its neighbour has a short one.
  const { ids, ordinals } = await again.events.readTraceSpans(ALL);
  const found = await again.events.findTraceSpans({ ...ALL, limit: 1_000 }, ALWAYS);
  expect(found.toSorted()).toEqual(ordinals.toSorted());
  for (let sequence = 0; sequence <= RECORDS_OF_DAY; sequence += 1) {
    const first = ids.indexOf(BigInt(`0x${spanId(sequence * SPANS_OF_RECORD + 1)}`));
    const second = ids.indexOf(BigInt(`0x${spanId(sequence * SPANS_OF_RECORD + 2)}`));
    const whole = await again.events.readSpan(ALL, ordinals[first] ?? -1);
    expect(whole?.attributes).toBe(JSON.stringify({ note: `${sequence} `.repeat(2_000) }));
    const short = await again.events.readSpan(ALL, ordinals[second] ?? -1);
    expect(short?.attributes).toBe('{"n":1}');
  }
  await close(again);
});

test("nothing is moved while much waits for the digest, in records or in bytes", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  for (const backlog of [
    { records: 1_001, bytes: 0 },
    { records: 200, bytes: 17 * MIB },
  ]) {
    await move(stores, undefined, undefined, backlog);
    expect(stores.events.movedDays.list()).toEqual([]);
  }
  await move(stores, undefined, undefined, { records: 1_000, bytes: 16 * MIB });
  expect(stores.events.movedDays.list()).not.toEqual([]);
  await close(stores);
});

test("checks of addresses have a file of their own, are read when the store is lost, and expire with spans", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  const receivedAt = DAY * DAY_MS + HOUR_MS;
  const checks = Array.from({ length: 20 }, (_, at) =>
    span(5_000, { spanId: spanId(90_000 + at), receivedAt, startedUs: receivedAt * 1_000 + at, category: "uptime" }),
  );
  const batch = toSpanBatch(checks);
  const entry = encodeLoggedRows({ ...batch, from: 5_000, batch: { from: 5_000, signals: ["spans"] } }, () => null);
  await stores.payloads.append([], { receivedAt, signal: "spans", entry: Promise.resolve(entry) });
  await stores.events.append(batch);
  const before = await readAll(stores);
  await move(stores);
  expect(stores.events.movedDays.list()).toContainEqual(
    expect.objectContaining({ day: DAY, signal: "checks", rows: 20, isStripped: true }),
  );
  expect(await readLogged(stores)).toBe(SPANS_OF_RECORD * 1.5);
  expect(await readAll(stores)).toEqual(before);
  await close(stores);
  const lost = await openAgain(folder.path, { isLost: true });
  expect(await readAll(lost)).toEqual(before);
  const cutoffs = toCutoffs((signal) => (signal === "spans" ? (DAY + 1) * DAY_MS : 0));
  await lost.events.dropBefore(cutoffs, (DAY + 1) * DAY_MS);
  expect(lost.events.movedDays.list().map(({ signal }) => signal)).toEqual(["logs"]);
  await close(lost);
});

test("a day that goes on is moved by slices, which become one file when it is over", async () => {
  using folder = makeTempFolder();
  const stores = await openSlicing(folder.path);
  const noon = DAY * DAY_MS + DAY_MS / 2;
  const perSlice = ROWS_OF_SLICE + SPANS_OF_RECORD;
  for (let at = 0; at <= RECORDS_OF_DAY; at += 2) {
    await appendBatch(stores, at);
    await move(stores, noon);
  }
  const slices = stores.events.movedDays.list().filter(({ signal }) => signal === "spans");
  expect(slices).toMatchObject([
    { slice: 0, rows: perSlice, isStripped: true },
    { slice: 1, rows: perSlice, isStripped: true },
  ]);
  expect(await readdir(join(folder.path, "days"))).toContain("2026-05-20-spans-0000-0001.parquet");
  expect(stores.events.movedDays.listSliced(DAY)).toEqual([]);
  const before = await readAll(stores);
  expect(before.spans).toHaveLength((RECORDS_OF_DAY + 1) * SPANS_OF_RECORD);
  await close(stores);
  const lost = await openAgain(folder.path, { isLost: true });
  expect(await readAll(lost)).toEqual(before);
  await lost.events.oldItems.noteConverted(0);
  // The rest of the day, which is one more slice; then all of them are joined.
  await move(lost);
  expect(await readdir(join(folder.path, "days"))).toEqual([
    "2026-05-20-logs-0001.parquet",
    "2026-05-20-spans-0001.parquet",
  ]);
  expect(await readAll(lost)).toEqual(before);
  await close(lost);
  const again = await openAgain(folder.path);
  expect(again.events.movedDays.listDamaged()).toEqual([]);
  expect(await readAll(again)).toEqual(before);
  await close(again);
});

test("what a deletion hides in slices is not in the file that they become, and retention counts each row once", async () => {
  using folder = makeTempFolder();
  const stores = await openSlicing(folder.path);
  for (let at = 0; at < RECORDS_OF_DAY - 1; at += 2) {
    await appendBatch(stores, at);
    await move(stores, DAY * DAY_MS + DAY_MS / 2);
  }
  const [first] = stores.events.movedDays.list().filter(({ signal }) => signal === "spans");
  const parts = [];
  for await (const some of stores.events.movedDays.scan(first as MovedDay))
    parts.push(...some.filter(({ sequence }) => sequence === 3));
  expect(parts).toHaveLength(SPANS_OF_RECORD);
  await stores.events.deletion.deleteParts(parts);
  await move(stores);
  const spans = (RECORDS_OF_DAY - 2) * SPANS_OF_RECORD;
  expect(stores.events.movedDays.list()).toMatchObject([
    { signal: "spans", slice: 0, rows: spans },
    { signal: "logs" },
  ]);
  expect(await stores.events.movedDays.erase()).toBe(0);
  const cutoffs = toCutoffs((signal) => (signal === "spans" ? DAY * DAY_MS + 6_000 : 0));
  expect(await stores.events.dropBefore(cutoffs, 0)).toBe(5 * SPANS_OF_RECORD);
  await close(stores);
});

test("a damaged slice whose rows are logged, beside a whole one, makes the next start rebuild everything", async () => {
  using folder = makeTempFolder();
  const stores = await openSlicing(folder.path);
  for (let at = 0; at < RECORDS_OF_DAY - 1; at += 2) {
    await appendBatch(stores, at);
    if (at < RECORDS_OF_DAY / 2) await move(stores, DAY * DAY_MS + DAY_MS / 2);
  }
  const before = await readAll(stores);
  const moved = await stores.events.movedDays.move({ day: DAY, signal: "spans" });
  expect(moved).toMatchObject({ slice: 1, isStripped: false });
  await flipMiddle(join(folder.path, "days", "2026-05-20-spans-0000-0001.parquet"));
  expect(await stores.events.movedDays.checkDay(moved as MovedDay)).toBe(false);
  // Nothing may be moved behind it: the row log would let go of its rows.
  expect(await stores.events.movedDays.move({ day: DAY, signal: "spans" })).toBeNull();
  await close(stores);
  const again = await openAgain(folder.path);
  expect(again.events.movedDays.listDamaged()).toEqual([]);
  expect(await readAll(again)).toEqual(before);
  await close(again);
});

test("a store that was lost has its moved days again, and what comes then stands behind them", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  const before = await readAll(stores);
  await move(stores);
  await close(stores);
  const lost = await openAgain(folder.path, { isLost: true });
  expect(await readAll(lost)).toEqual(before);
  // A rebuild of the day alone has nothing to bring back, and takes nothing away.
  await lost.events.rebuild.begin({
    ...newRebuild("was asked for", 0),
    received: { from: DAY * DAY_MS, to: (DAY + 1) * DAY_MS },
  });
  await rebuildEvents(lost);
  expect(await readAll(lost)).toEqual(before);
  await close(lost);
});

test("a store that is lost before the row log has let go of a day finds each row once", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  const before = await readAll(stores);
  for (const signal of ["spans", "logs"] as const) await stores.events.movedDays.move({ day: DAY, signal });
  await close(stores);
  const lost = await openAgain(folder.path, { isLost: true });
  expect(await readAll(lost)).toEqual(before);
  await lost.events.oldItems.noteConverted(0);
  await move(lost);
  expect(await readLogged(lost)).toBe(SPANS_OF_RECORD * 1.5);
  expect(await readAll(lost)).toEqual(before);
  await close(lost);
});

test("a store of before a day was moved, which has gone on without its file, is made again with all rows", async () => {
  using folder = makeTempFolder();
  const [database, days, hidden] = ["events.duckdb", "days", "hidden"].map((name) => join(folder.path, name));
  if (!database || !days || !hidden) throw new Error("no path");
  const stores = await openMovingFolder(folder.path);
  await rebuildEvents(stores);
  await stores.events.oldItems.noteConverted(0);
  for (let at = 0; at < RECORDS_OF_DAY - 7; at += 2) await appendBatch(stores, at);
  await close(stores);
  const earlier = await readFile(database);
  const going = await openAgain(folder.path);
  for (let at = RECORDS_OF_DAY - 7; at <= RECORDS_OF_DAY; at += 2) await appendBatch(going, at);
  const before = await readAll(going);
  await move(going);
  await close(going);

  // As `go-back` does, and a version that does not know the folder.
  await writeFile(database, earlier);
  await rename(days, hidden);
  const back = await openAgain(folder.path);
  await appendBatch(back, RECORDS_OF_DAY + 1);
  await readAll(back);
  await close(back);
  await rename(hidden, days);

  const again = await openMovingFolder(folder.path);
  expect(again.events.rebuild.state()).toMatchObject({ reason: expect.stringContaining("older than days") });
  await rebuildEvents(again);
  const all = await readAll(again);
  expect(all.spans).toHaveLength(before.spans.length + 2 * SPANS_OF_RECORD);
  expect(all.spans).toEqual(expect.arrayContaining(before.spans));
  expect(all.logs).toEqual(expect.arrayContaining(before.logs));
  // Each is in the sums once.
  const { buckets } = await again.events.summarizeLogs(
    { projectIds: projects(1, 2), from: DAY * DAY_MS, to: (DAY + 2) * DAY_MS },
    { bucketMs: HOUR_MS, budgetMs: Number.POSITIVE_INFINITY },
  );
  expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(all.logs.length);
  await close(again);
});

test("what is deleted is hidden at once, also after the store was lost, and then erased from the file", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  await move(stores);
  const parts = [];
  for await (const some of stores.events.movedDays.scan({ day: DAY, signal: "logs", slice: 0 }))
    parts.push(...some.filter(({ sequence }) => sequence === 3));
  expect(parts).toHaveLength(SPANS_OF_RECORD / 2);
  await stores.events.deletion.deleteParts(parts);
  const hidden = await readAll(stores);
  expect(hidden.logs).not.toContain("3 line 3 1");
  expect(hidden.logs).toContain("4 line 4 1");
  await close(stores);

  const deleted = new Set(parts.map(({ projectId, key }) => `${projectId}:${key}`));
  expect(deleted).toContain(
    `1:${toPartKey({ table: "logs", sequence: 3, receivedAt: DAY * DAY_MS + 3_000, atUs: (DAY * DAY_MS + 3_000) * 1000 })}`,
  );
  const deletions = { findDeleted: async () => deleted, listDeletedProjects: async () => [] };
  const lost = await openAgain(folder.path, { isLost: true }, { deletions });
  expect((await readAll(lost)).logs).toEqual(hidden.logs);
  expect(await lost.events.movedDays.erase()).toBe(1);
  expect(await readdir(join(folder.path, "days"))).toEqual([
    "2026-05-20-logs-0001.parquet",
    "2026-05-20-spans-0000.parquet",
  ]);
  expect(await lost.events.movedDays.erase()).toBe(0);
  expect((await readAll(lost)).logs).toEqual(hidden.logs);
  await close(lost);
  const again = await openAgain(folder.path);
  expect((await readAll(again)).logs).toEqual(hidden.logs);
  await close(again);
});

test("a project that is deleted is gone from files, too; retention drops them", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  await move(stores);
  const cutoffs = toCutoffs((signal) => (signal === "logs" ? (DAY + 1) * DAY_MS : 0));
  expect(await stores.events.dropBefore(cutoffs, 0)).toBe((RECORDS_OF_DAY * SPANS_OF_RECORD) / 2);
  expect(await readdir(join(folder.path, "days"))).toEqual(["2026-05-20-spans-0000.parquet"]);
  expect(await stores.events.deletion.deleteProject(1)).toBe(
    (RECORDS_OF_DAY + 1) * SPANS_OF_RECORD * 1 + SPANS_OF_RECORD / 2,
  );
  expect(await stores.events.listSpans(ALL)).toEqual([]);
  expect(await stores.events.movedDays.erase()).toBe(1);
  expect(await readdir(join(folder.path, "days"))).toEqual([]);
  await close(stores);
});

test("a file that is damaged is found by a check, and keeps nothing else from being read", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  await move(stores);
  await close(stores);
  const days = join(folder.path, "days");
  expect(await checkDays(days)).toEqual([]);
  const path = join(days, SPANS_FILE);
  await truncate(path, (await readFile(path)).length - 10);
  expect(await checkDays(days)).toMatchObject([{ path }]);
  const lost = await openAgain(folder.path, { isLost: true });
  // It is remembered as long as the file lies there.
  expect(lost.events.movedDays.listDamaged()).toEqual([
    { day: DAY, signal: "spans", slice: 0, name: SPANS_FILE, rows: null, isLogged: false },
  ]);
  await expectWithoutSpans(lost);
  await close(lost);
});

test("a file that is damaged while it is read is set aside, and what failed is read again without it", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  await move(stores);
  await readAll(stores);
  await flipMiddle(join(folder.path, "days", SPANS_FILE));
  // At once: each of them fails by the same file.
  await Promise.all([
    stores.events.listSpans({ ...ALL, limit: 10_000 }),
    stores.events.findTraceSpans({ ...ALL, limit: 1_000 }, ALWAYS),
    stores.events.sumStored(),
  ]);
  // One that needs none of the damaged bytes may have been quicker than those that found them.
  await expectWithoutSpans(stores);
  const damaged = {
    day: DAY,
    signal: "spans",
    slice: 0,
    name: SPANS_FILE,
    rows: RECORDS_OF_DAY * SPANS_OF_RECORD,
    isLogged: false,
  };
  expect(stores.events.movedDays.listDamaged()).toEqual([damaged]);
  expect(await readdir(join(folder.path, "damaged"))).toEqual([SPANS_FILE]);
  await close(stores);
  const again = await openAgain(folder.path);
  expect(again.events.movedDays.listDamaged()).toEqual([damaged]);
  const cutoffs = toCutoffs(() => (DAY + 1) * DAY_MS);
  await again.events.dropBefore(cutoffs, 0);
  expect(again.events.movedDays.listDamaged()).toEqual([]);
  expect(await readdir(join(folder.path, "damaged"))).toEqual([]);
  await close(again);
});

test("bytes that read as other values are found by and by; the file can be put back from a backup", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  await move(stores);
  const before = await readAll(stores);
  const path = join(folder.path, "days", SPANS_FILE);
  const whole = await readFile(path);
  await flipMiddle(path, 1);
  // Nobody reads it: only its bytes tell.
  for (let at = 0; (await stores.events.movedDays.checkNext(Date.now() + DAY_MS * 2)) !== null; at++)
    expect(at).toBeLessThan(3);
  expect(stores.events.movedDays.listDamaged()).toMatchObject([{ name: SPANS_FILE }]);
  await expectWithoutSpans(stores);
  await close(stores);
  await writeFile(path, whole);
  const again = await openAgain(folder.path);
  expect(again.events.movedDays.listDamaged()).toEqual([]);
  expect(await readAll(again)).toEqual(before);
  // The ledger takes back what it counted as lost, once.
  const rows = RECORDS_OF_DAY * SPANS_OF_RECORD;
  const lost = { projectId: 1, category: "span", quantity: rows + 5 };
  const found: HeldCount[] = [];
  const damage = {
    sumHeld: async () => [],
    sumLost: async (hour: number) => (hour === DAY * DAY_MS ? [lost] : []),
    noteFound: async (_: number, back: readonly HeldCount[]) => found.push(...back),
  };
  for (let time = 0; time < 2; time++)
    await move(again, undefined, (days) => countFoundRows({ events: again.events, damage }, days));
  expect(found).toEqual([{ ...lost, quantity: rows }]);
  expect(await readdir(join(folder.path, "damaged"))).toEqual([]);
  await close(again);
});

test("the row log keeps its rows until the file is whole: a damaged one is made again from there", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  const before = await readAll(stores);
  await stores.events.movedDays.move({ day: DAY, signal: "spans" });
  await flipMiddle(join(folder.path, "days", SPANS_FILE));
  await move(stores);
  expect(stores.events.movedDays.listDamaged()).toMatchObject([{ signal: "spans", isLogged: true }]);
  await close(stores);
  const again = await openAgain(folder.path);
  await restoreLoggedDays(again.events);
  await rebuildEvents(again);
  expect(again.events.movedDays.listDamaged()).toEqual([]);
  expect(await readdir(join(folder.path, "damaged"))).toEqual([]);
  expect(await readAll(again)).toEqual(before);
  await move(again);
  expect(again.events.movedDays.list()).toHaveLength(2);
  expect(await readAll(again)).toEqual(before);
  await close(again);
});

test("a file whose end is damaged, or that is gone, does not keep the store from opening", async () => {
  using folder = makeTempFolder();
  const stores = await openFilled(folder.path);
  await move(stores);
  await close(stores);
  const path = join(folder.path, "days", SPANS_FILE);
  const bytes = await readFile(path);
  bytes.fill(0xff, bytes.length - 200);
  await writeFile(path, bytes);
  await rm(join(folder.path, "days", "2026-05-20-logs-0000.parquet"));
  const again = await openAgain(folder.path);
  expect(again.events.movedDays.list()).toEqual([]);
  expect(again.events.movedDays.listDamaged()).toHaveLength(2);
  expect((await readAll(again)).spans).toHaveLength(SPANS_OF_RECORD);
  await close(again);
});

async function expectWithoutSpans({ events }: Stores): Promise<void> {
  expect(await events.listTraceLogs({ ...ALL, limit: 10_000 })).toHaveLength(
    (RECORDS_OF_DAY + 1) * (SPANS_OF_RECORD / 2),
  );
  expect(await events.listSpans({ ...ALL, limit: 10_000 })).toHaveLength(SPANS_OF_RECORD);
}

async function flipMiddle(path: string, length = 2_000): Promise<void> {
  const bytes = await readFile(path);
  const from = Math.floor(bytes.length / 2);
  for (let at = from; at < Math.min(from + length, bytes.length - 1_000); at++)
    bytes[at] = 0xff ^ (bytes[at] as number);
  await writeFile(path, bytes);
  // DuckDB answers from its memory while the time of the file is the one that it knows.
  const later = new Date(Date.now() + 60_000);
  await utimes(path, later, later);
}
