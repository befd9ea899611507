import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { openDigestFolder } from "../../tests/support/digest-folder.ts";
import { NO_MAP_STORES } from "../../tests/support/no-map-stores.ts";
import type { JournalRecord } from "../journal/journal.ts";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { DIGEST_STORES_MODULE } from "../server/open-digest-stores.ts";

import { EVERYTHING } from "../stores/state/contract/fixture.ts";
import { reportNothing } from "../symbolicate/start-report.ts";
import type { SymbolicationRequest } from "../symbolicate/symbolicator-thread.ts";
import { digestRecords } from "./digest-records.ts";
import { type MappedPart, mapOnThisThread } from "./map-stage.ts";
import { MapThreads, type MapThreadsOptions } from "./map-threads.ts";
import { type MappedBatch, toMappedBatch } from "./mapped-batch.ts";

function startThreads(options: Partial<MapThreadsOptions> = {}): MapThreads & AsyncDisposable {
  const threads = new MapThreads({
    width: 2,
    storesModule: NO_MAP_STORES,
    storesOptions: null,
    hasSymbolicator: false,
    groupingMoves: new Map(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    onDeath: () => {},
    ...options,
  });
  return Object.assign(threads, { [Symbol.asyncDispose]: () => threads.close() });
}

function makeRecord(sequence: number, { projectId = 1, frames = [] as object[], lines = 1 } = {}) {
  const eventId = (sequence + 1).toString(16).padStart(32, "0");
  const exception = { type: "Error", value: `number ${sequence}`, stacktrace: { frames } };
  const event = JSON.stringify({ platform: "javascript", release: "shop@1", exception: { values: [exception] } });
  const items = Array(lines).fill('{"body":"x"}').join();
  const log = `{"type":"log","item_count":${lines}}\n{"items":[${items}]}\n`;
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId,
    keyId: 1,
    receivedAt: 1_790_000_000_000,
    eventId,
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [{ projectId, category: "span", outcome: "too_large", reason: "size", quantity: 1, receivedAt: 1 }],
    body: Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${event}\n${log}`),
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

/** Without stacks of errors and random marks, and with bytes of one kind: a buffer is a plain array on the other side. */
function comparable(batch: MappedBatch | undefined) {
  const setAside = batch?.setAside.map((each) => ({ ...each, reason: each.reason.split("\n")[0] }));
  const items = batch?.items.map((item) => ({ ...item, rows: undefined }));
  const rows = batch?.rows.map((each) => [
    each.table,
    each.items,
    Object.entries(each.columns).map(([name, bytes]) =>
      Buffer.from(bytes).toString().replaceAll(each.marks.between, "|").replaceAll(each.marks.null, `no ${name}`),
    ),
  ]);
  return structuredClone({ outcomes: batch?.outcomes, items, setAside, rows });
}

/** The first part, which is all of a small batch. */
async function mapFirst(threads: MapThreads, records: readonly JournalRecord[]): Promise<MappedBatch> {
  const parts = threads.map(records);
  const { value } = await parts.next();
  await parts.return();
  expect(value?.recordCount).toBe(records.length);
  return (value as MappedPart).mapped;
}

test("records that become very many rows come in parts, from another thread as from this one", async () => {
  await using threads = startThreads();
  const records = [0, 1, 2, 3].map((sequence) => makeRecord(sequence, { lines: sequence === 3 ? 1 : 9_000 }));
  for (const stage of [threads, mapOnThisThread()]) {
    const parts: number[][] = [];
    for await (const { mapped, recordCount } of stage.map(records)) {
      const lines = mapped.rows.find(({ table }) => table === "logs");
      parts.push([recordCount, lines?.count ?? 0, mapped.items[0]?.sequence ?? -1]);
    }
    expect(parts).toEqual([
      [3, 27_000, 0],
      [1, 1, 3],
    ]);
  }
});

test("a part is mapped when it is asked for, and a batch waits while too much waits to be taken", async () => {
  await using threads = startThreads({ maxWaitingBytes: 1 });
  const large = [0, 1, 2, 3, 4, 5].map((sequence) => makeRecord(sequence, { lines: 10_000 }));
  const parts = threads.map(large);
  expect((await parts.next()).value?.recordCount).toBe(2);
  const ofFirst = threads.waitingBytes;
  expect(ofFirst).toBeGreaterThan(1_000_000);
  const ended: string[] = [];
  const others = ["one", "two"].map((name, at) =>
    mapFirst(threads, [makeRecord(6 + at)]).then(() => void ended.push(name)),
  );
  // As much as this batch has left: meanwhile the others would have been mapped, and its next part, too.
  await using elsewhere = startThreads();
  for await (const _ of elsewhere.map(large));
  expect(ended).toEqual([]);
  expect(threads.waitingBytes).toBe(ofFirst);
  expect((await parts.next()).value?.recordCount).toBe(2);
  await parts.return();
  await Promise.all(others);
  expect(ended.sort()).toEqual(["one", "two"]);
  expect(threads.waitingBytes).toBe(0);
});

test("a batch that is left leaves its thread to others, also before its end", async () => {
  await using threads = startThreads({ width: 1 });
  const records = [0, 1, 2, 3].map((sequence) => makeRecord(sequence, { lines: 10_000 }));
  for (let time = 0; time < 3; time++) {
    const parts = threads.map(records);
    await parts.next();
    await parts.return();
    expect(threads.waitingBytes).toBe(0);
  }
  expect((await mapFirst(threads, [makeRecord(4)])).items).toHaveLength(2);
});

test("another thread gives what this one would", async () => {
  await using threads = startThreads();
  const batches = [0, 3].map((from) => [0, 1, 2].map((at) => makeRecord(from + at)));
  const unreadable = { sequence: 6, bytes: Buffer.from("no entry") };
  const mapped = await Promise.all([...batches, [unreadable]].slice(0, 2).map((records) => mapFirst(threads, records)));
  mapped.push(await mapFirst(threads, [unreadable]));
  for (const [at, records] of [...batches, [unreadable]].entries()) {
    expect(comparable(mapped[at])).toEqual(comparable(toMappedBatch(digestRecords(records))));
  }
});

test("each thread has its own way to the symbolicator, whether it comes before its first batch or after", async () => {
  await using folder = await openDigestFolder();
  const { projectId } = folder;
  await folder.stores.state.artifacts.saveArtifactBundle(
    EVERYTHING,
    {
      checksum: "a".repeat(40),
      container: "zip",
      debugId: null,
      note: null,
      bytes: 1,
      uploadedAt: 1,
      uploadedBy: null,
      projectIds: [projectId],
      releases: [],
    },
    [],
  );
  const storesOptions = { statePath: folder.paths.state, payloadDir: folder.paths.payloads };
  await using threads = startThreads({
    hasSymbolicator: true,
    storesModule: DIGEST_STORES_MODULE,
    storesOptions,
  });
  const asked: number[] = [];
  const connect = (index: number) => {
    const { port1, port2 } = new MessageChannel();
    port1.on("message", ({ id, event }: SymbolicationRequest) => {
      asked.push(index);
      const values = event.exception?.values.map((exception) => ({ ...exception, value: `mapped by ${index}` }));
      port1.postMessage({
        kind: "done",
        id,
        event: { ...event, exception: { values: values ?? [] } },
        isChanged: true,
        report: reportNothing(event),
        wanted: [],
      });
    });
    port1.unref();
    threads.attachSymbolicator(index, port2);
  };
  const frames = [{ abs_path: "https://shop.example/app.min.js", filename: "app.min.js", lineno: 1, colno: 9 }];
  const record = (sequence: number) => makeRecord(sequence, { projectId, frames });
  connect(0);
  const first = mapFirst(threads, [record(0)]);
  const second = mapFirst(threads, [record(1), makeRecord(2, { projectId })]);
  connect(1);
  const titles = (await Promise.all([first, second])).map(({ items }) =>
    items.flatMap(({ occurrence }) => occurrence?.title ?? []),
  );
  expect(titles).toEqual([["Error: mapped by 0"], ["Error: mapped by 1", "Error: number 2"]]);
  expect(asked.sort()).toEqual([0, 1]);
});

test("says when a thread died", async () => {
  const deaths = new EventTarget();
  const threads = startThreads({
    storesModule: "data:text/javascript,export function openMapStores() { process.exit(7); }",
    hasSymbolicator: true,
    onDeath: (error) => deaths.dispatchEvent(new CustomEvent("death", { detail: error.message })),
  });
  const death = once(deaths, "death");
  void threads.map([makeRecord(0)]).next();
  expect((await death)[0]).toMatchObject({ detail: "a thread that maps records ended with code 7" });
});
