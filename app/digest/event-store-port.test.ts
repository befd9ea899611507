import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import type { RowBatch } from "../stores/events/event-log.ts";
import { connectEventStore, type DigestEventStore, serveEventStore } from "./event-store-port.ts";

const BATCH: RowBatch = { journalId: "j", upTo: 1, rows: [], leftOut: [], environments: [] };

/** A store on the other side of a channel. `outcomes`: what became of what it was to wait for. `batches`: what it was given. */
function openChannel() {
  const { port1, port2 } = new MessageChannel();
  const outcomes: string[] = [];
  const batches: RowBatch[] = [];
  const store: DigestEventStore = {
    appliedSequence: async () => 0,
    appliedAhead: async () => ({ signals: {}, repeats: [] }),
    findExisting: async () => new Set(),
    async append(batch, logged) {
      batches.push(batch);
      try {
        await logged;
        outcomes.push(logged ? "logged" : "at once");
      } catch (error) {
        outcomes.push(String(error));
        throw error;
      }
      return { stored: 1, duplicates: 0 };
    },
  };
  serveEventStore(port1, store);
  return { events: connectEventStore(port2), port: port2, outcomes, batches };
}

test("a batch waits on the other side until it is logged", async () => {
  const { events, port, outcomes } = openChannel();
  const logged = Promise.withResolvers<void>();
  const appended = events.append(BATCH, logged.promise);
  // Answered after the append has arrived.
  await events.appliedSequence("j");
  expect(outcomes).toEqual([]);
  logged.resolve();
  expect(await appended).toEqual({ stored: 1, duplicates: 0 });
  await events.append(BATCH);
  expect(outcomes).toEqual(["logged", "at once"]);
  port.close();
});

test("a batch that is not logged is not stored, also when the digest dies before it knows", async () => {
  const { events, port, outcomes } = openChannel();
  await expect(events.append(BATCH, Promise.reject(new Error("no disk")))).rejects.toThrow("the rows were not logged");
  void events.append(BATCH, new Promise(() => undefined));
  await events.appliedSequence("j");
  port.close();
  await expect.poll(() => outcomes).toHaveLength(2);
  expect(outcomes).toEqual(Array(2).fill("Error: the rows were not logged"));
});

test("stored rows are freed on the other side, except those of events", async () => {
  const { events, port, batches } = openChannel();
  const rows = ["events", "spans"].map((table) => ({
    table,
    count: 1,
    items: Int32Array.of(0),
    columns: { name: new Uint8Array(2_000) },
    lateColumns: [],
    marks: { between: "\x1f", null: "\x1c" },
  }));
  await events.append({ ...BATCH, rows });
  const lengths = batches.flatMap((batch) => batch.rows.map(({ columns }) => columns.name?.length));
  expect(lengths).toEqual([2_000, 0]);
  port.close();
});
