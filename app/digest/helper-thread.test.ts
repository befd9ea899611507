import { afterEach, expect, test, vi } from "vitest";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { digestRecords } from "./digest-records.ts";
import { type HelperResult, HelperThread } from "./helper-thread.ts";

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
let thread: HelperThread | null = null;

function start(onEnd = () => {}): HelperThread {
  thread = new HelperThread({ log, onEnd });
  return thread;
}

afterEach(async () => {
  await thread?.close();
  thread = null;
});

function makeRecord(sequence: number, projectId: number, frames: object[] = []) {
  const eventId = (sequence + 1).toString(16).padStart(32, "0");
  const exception = { type: "Error", value: "x", stacktrace: { frames } };
  const event = JSON.stringify({ platform: "javascript", exception: { values: [exception] } });
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId,
    keyId: 1,
    receivedAt: 1_790_000_000_000,
    eventId,
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${event}\n`),
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

async function collect(helper: HelperThread, count: number): Promise<HelperResult[]> {
  const results: HelperResult[] = [];
  for (;;) {
    results.push(...helper.collect());
    if (results.length >= count) return results;
    await helper.whenBack(1_000);
  }
}

test("gives the facts that the records have, one task after the other", async () => {
  const helper = start();
  const first = [makeRecord(0, 1), makeRecord(1, 2)];
  const second = [makeRecord(2, 1)];
  const ids = [helper.give(first, null), helper.give(second, null)];
  expect(helper.inFlight).toBe(2);
  const results = await collect(helper, 2);
  expect(results.map(({ id }) => id)).toEqual(ids);
  expect(helper.inFlight).toBe(0);
  for (const [index, records] of [first, second].entries()) {
    const { occurrence } = digestRecords(records).events[0] ?? {};
    expect(results[index]?.digested.events[0]?.occurrence).toEqual(occurrence);
    expect(results[index]?.left).toEqual([]);
  }
});

test("leaves the records whose events may have source maps, and does the others of the same task", async () => {
  const helper = start();
  const frames = [{ abs_path: "https://shop.example/app.min.js", filename: "app.min.js", lineno: 1, colno: 9 }];
  helper.give([makeRecord(0, 1, frames), makeRecord(1, 2, frames), makeRecord(2, 1)], [2]);
  const [result] = await collect(helper, 1);
  expect(result?.left).toEqual([0]);
  expect(result?.digested.events.map(({ row }) => row.sequence)).toEqual([1, 2]);
});

test("says when it is no more, and who waits is not left waiting", async () => {
  const ended = vi.fn();
  const helper = start(ended);
  helper.give([makeRecord(0, 1)], null);
  await collect(helper, 1);
  const waiting = helper.whenBack(60_000);
  await helper.close();
  await waiting;
  await expect.poll(() => ended.mock.calls.length).toBe(1);
  helper.give([makeRecord(1, 1)], null);
  expect(helper.collect()).toEqual([]);
});
