import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { event, eventId, item, JOURNAL, NOON } from "../event-store-contract/fixture.ts";
import { type EncodedEventBatch, encodeEventBatch, transferablesOf } from "./encode-event-batch.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

test("a batch that was encoded on another thread and posted is appended as it is", async () => {
  await using files = await createDuckdbEventDatabase();
  const store = await files.open();
  const events = [event(0, { title: "ünïcödé\0\x1f", tags: [["a", "b"]] }), event(1), event(2)];
  const encoded = encodeEventBatch({ journalId: JOURNAL, upTo: 3, events, items: [item(1), item(2)] });
  const worker = new Worker(
    "const { parentPort } = require('node:worker_threads'); parentPort.once('message', ({ batch, list }) => parentPort.postMessage(batch, list));",
    { eval: true },
  );
  const posted = await new Promise<EncodedEventBatch>((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
    worker.postMessage({ batch: encoded, list: transferablesOf(encoded) }, transferablesOf(encoded));
  });
  await worker.terminate();
  expect(encoded.events.columns.byteLength).toBe(0);
  expect(await store.appendEncoded(posted)).toEqual({ stored: 5, duplicates: 0 });
  expect(await store.getEvent(eventId(0), null)).toEqual(events[0]);
});

test("takes the latest time of each environment, and none that has no name", () => {
  const { environments } = encodeEventBatch({
    journalId: JOURNAL,
    upTo: 5,
    events: [
      event(0, { environment: "production", receivedAt: NOON + 2 }),
      event(1, { environment: "production", receivedAt: NOON + 1 }),
      event(2, { environment: "production", receivedAt: NOON + 9, projectId: 2 }),
      event(3, { environment: "" }),
    ],
    items: [item(4, { environment: "dev", receivedAt: NOON })],
  });
  expect(environments).toEqual([
    { projectId: 1, environment: "production", seenAt: NOON + 2 },
    { projectId: 1, environment: "dev", seenAt: NOON },
    { projectId: 2, environment: "production", seenAt: NOON + 9 },
  ]);
});

test("cuts fractions of milliseconds off, and refuses what is no number", () => {
  const encode = (occurredAt: number) =>
    encodeEventBatch({ journalId: JOURNAL, upTo: 1, events: [event(0, { occurredAt })], items: [] });
  expect(new TextDecoder().decode(encode(NOON + 0.75).events.columns)).toContain(String(NOON));
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
    expect(() => encode(wrong)).toThrow(/occurred_at/);
  }
});

test("uses other marks for each batch", () => {
  const marksOf = () => encodeEventBatch({ journalId: JOURNAL, upTo: 0, events: [], items: [] }).events.marks;
  expect(marksOf().betweenTexts).not.toBe(marksOf().betweenTexts);
});
