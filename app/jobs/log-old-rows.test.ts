import { readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { toCutoffs } from "../domain/stored-signal.ts";
import { openTestEventStore } from "../stores/duckdb/fixtures/duckdb-event-database.ts";
import { event, eventId, item, NOON, projects, toRowBatch } from "../stores/event-store-contract/fixture.ts";
import type { EventRow } from "../stores/events/error-events.ts";
import { openPayloadFiles } from "../stores/files/open-payload-files.ts";
import { dayOf, toFileId, toFileName } from "../stores/files/payload-file-names.ts";
import type { PayloadRef } from "../stores/payload-store.ts";
import { eraseFromEntry } from "./deletions/erase-events.ts";
import { logOldRows } from "./log-old-rows.ts";
import { rebuildEvents } from "./rebuild/rebuild-events.ts";

const JOURNAL = { id: "00112233445566aa" };
const OLD_FILE = toFileId(dayOf(NOON), null, 0);
const APPENDS = 30;
const EVENTS_OF_APPEND = 90;
/** Of the state: nothing was deleted, nothing is counted. */
const nothingElse = {
  deletions: { findDeleted: async () => new Set<string>(), listDeletedProjects: async () => [] },
  damage: {
    noteDamaged: async () => 0,
    sumHeld: async () => [],
    noteLost: async () => 0,
    sumLost: async () => [],
    noteFound: async () => 0,
  },
  expirations: { expiredUpTo: async () => toCutoffs(() => 0) },
  positions: async () => ({ state: [], events: [] }),
};
const shop = projects(1);

function makeRow(sequence: number, payload: PayloadRef): EventRow {
  return event(sequence, {
    payload,
    issueId: 1 + (sequence % 7),
    title: sequence === 40 ? "has \x1f in it" : `Error ${sequence}`,
    environment: sequence % 2 === 0 ? "production" : null,
    userKey: sequence % 3 === 0 ? null : "id:1",
    isUnhandled: sequence % 5 === 0,
    tags: [["plan", "pro, or less"]],
  });
}

async function open(dir: string) {
  const events = await openTestEventStore({
    path: join(dir, "events.duckdb"),
    tempDir: join(dir, "temp"),
    folder: {
      id: "00112233445566778899aabbccddeeff",
      statePath: join(dir, "state.sqlite"),
      hasStored: true,
      journals: [],
    },
  });
  const payloads = await openPayloadFiles({ dir: join(dir, "payloads") });
  return {
    events,
    payloads,
    journal: JOURNAL,
    async close() {
      await payloads.close();
      await events.close();
    },
  };
}

/** As a version without a row log left it: a file of every signal without entries, and at its end what a crash has cut off. */
async function makeOldFolder(dir: string): Promise<void> {
  const { events, payloads, close } = await open(dir);
  await rebuildEvents({ ...nothingElse, events, payloads });
  for (let append = 0; append < APPENDS; append++) {
    const first = append * EVENTS_OF_APPEND;
    const bodies = Array.from({ length: EVENTS_OF_APPEND + 1 }, (_, at) => Buffer.from(`{"payload":${first + at}}`));
    const refs = await payloads.append(bodies, { receivedAt: NOON, signal: "errors" });
    const old = refs.map((ref): PayloadRef => ({ ...ref, fileId: OLD_FILE }));
    const rows = old.slice(0, -1).map((ref, at) => makeRow(first + at, ref));
    const attachment = item(first, { payload: old.at(-1) as PayloadRef, eventId: eventId(first), name: "a, b" });
    const upTo = first + EVENTS_OF_APPEND;
    await events.append(toRowBatch({ journalId: JOURNAL.id, upTo, events: rows, items: [attachment] }));
  }
  await payloads.append([Buffer.from("of a batch that was never stored")], { receivedAt: NOON, signal: "errors" });
  await close();
  const [name = ""] = readdirSync(join(dir, "payloads"));
  renameSync(join(dir, "payloads", name), fileOf(dir));
  await appendFile(fileOf(dir), "CPB1 and a half");
}

const fileOf = (dir: string) => join(dir, "payloads", toFileName(OLD_FILE));

async function readAll({ events, payloads }: Awaited<ReturnType<typeof open>>) {
  const read: unknown[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await events.listEvents({ projectIds: shop, from: null, to: null }, { cursor, limit: 100 });
    for (const row of page.events) read.push({ ...row, body: String(await payloads.read(row.payload)) });
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  const items = await events.listItems({ projectIds: shop, eventId: eventId(0) });
  return { events: read, items, environments: await events.listEnvironments(shop) };
}

async function rebuild(dir: string) {
  for (const name of readdirSync(dir)) if (name.startsWith("events.duckdb")) rmSync(join(dir, name));
  const stores = await open(dir);
  const done = await rebuildEvents({ ...nothingElse, ...stores });
  return { stores, done };
}

describe("rows of versions without a row log", () => {
  test("come back in a rebuild once they are logged", async () => {
    using data = makeTempFolder();
    await makeOldFolder(data.path);
    const stores = await open(data.path);
    const before = await readAll(stores);
    expect(before.events).toHaveLength(APPENDS * EVENTS_OF_APPEND);
    const told: number[] = [];
    const done = await logOldRows(stores, { reserveBytes: 0, onFile: (_, left) => told.push(left) });
    expect(done).toEqual({ files: 1, payloads: APPENDS * (EVENTS_OF_APPEND + 1) + 1 });
    expect(told).toEqual([0]);
    expect(await readAll(stores)).toEqual(before);
    const { size } = await stat(fileOf(data.path));
    expect(await logOldRows(stores, { reserveBytes: 0 })).toEqual({ files: 0, payloads: 0 });
    expect((await stat(fileOf(data.path))).size).toBe(size);
    await stores.close();

    const rebuilt = await rebuild(data.path);
    expect(rebuilt.done).toMatchObject({ unlistedPayloads: 0, damagedEntries: 0 });
    expect(await readAll(rebuilt.stores)).toEqual(before);
    expect(await rebuilt.stores.events.appliedSequence(JOURNAL.id)).toBe(APPENDS * EVENTS_OF_APPEND);
    await rebuilt.stores.close();
  });

  test("a stop in between leaves the file as it was, and so does a disk without room", async () => {
    using data = makeTempFolder();
    await makeOldFolder(data.path);
    const bytes = await readFile(fileOf(data.path));
    const stores = await open(data.path);
    const stop = new AbortController();
    const rows = stores.events.rebuild.rowsOf;
    const stopping = {
      ...stores.events,
      rebuild: {
        ...stores.events.rebuild,
        rowsOf: (range: Parameters<typeof rows>[0]) => {
          stop.abort();
          return rows(range);
        },
      },
    };
    await expect(
      logOldRows({ ...stores, events: stopping }, { reserveBytes: 0, signal: stop.signal }),
    ).rejects.toThrow();
    await expect(logOldRows(stores, { reserveBytes: Number.MAX_SAFE_INTEGER })).rejects.toThrow(
      "bytes, and the disk has",
    );
    expect(readdirSync(join(data.path, "payloads"))).toEqual([toFileName(OLD_FILE)]);
    expect((await readFile(fileOf(data.path))).equals(bytes)).toBe(true);
    await stores.close();
  });

  test("are erased with their payloads, also where the file is damaged in between", async () => {
    using data = makeTempFolder();
    await makeOldFolder(data.path);
    const file = await readFile(fileOf(data.path));
    // The header of the second block.
    const second = file.indexOf("CPB1", file.indexOf("CPB1") + 1);
    file.fill(0, second, second + 40);
    truncateSync(fileOf(data.path));
    await appendFile(fileOf(data.path), file);
    const stores = await open(data.path);
    await logOldRows(stores, { reserveBytes: 0 });
    const gone = [3, EVENTS_OF_APPEND * 20 + 5];
    const deleted = new Set(gone.map((sequence) => `1:${eventId(sequence)}`));
    const findDeleted = async (keys: ReadonlyArray<{ projectId: number; identity: string }>) =>
      new Set(keys.map(({ projectId, identity }) => `${projectId}:${identity}`).filter((key) => deleted.has(key)));
    const decide = (entry: Uint8Array) => eraseFromEntry(entry, { findDeleted, projectIds: new Set() });
    expect(await stores.payloads.erase(OLD_FILE, decide)).toBe(2);
    await stores.close();
    const rebuilt = await rebuild(data.path);
    for (const sequence of gone) expect(await rebuilt.stores.events.getEvent(eventId(sequence), shop)).toBeNull();
    for (const sequence of [2, 4, EVENTS_OF_APPEND * 20 + 4, APPENDS * EVENTS_OF_APPEND - 1]) {
      const row = await rebuilt.stores.events.getEvent(eventId(sequence), shop);
      const body = row && (await rebuilt.stores.payloads.read(row.payload));
      expect(Buffer.from(body ?? []).toString()).toMatch(/^\{"payload":\d+\}$/);
    }
    const damaged = await rebuilt.stores.events.getEvent(eventId(EVENTS_OF_APPEND + 1), shop);
    expect(damaged).not.toBeNull();
    await rebuilt.stores.close();
  });
});
