import { expect, test } from "vitest";
import type { Log } from "../log.server.ts";
import type { PayloadPlaceOfRow, RowWithPayload } from "../stores/events/event-store.ts";
import { createDamageCounter } from "./count-damage.ts";

const silent: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silent,
};
const signal = new AbortController().signal;
const ref = (offset: number, index = 0) => ({ fileId: 1, offset, index });

function createCounter() {
  const asked: PayloadPlaceOfRow[][] = [];
  const noted: RowWithPayload[] = [];
  const counter = createDamageCounter(
    {
      events: {
        async findPayloads(places) {
          asked.push([...places]);
          return places.map(({ offset }) => ({
            projectId: 1,
            key: `${offset}`,
            category: "error",
            quantity: 1,
            receivedAt: 0,
          }));
        },
      },
      state: {
        damage: {
          async noteDamaged(items) {
            noted.push(...items);
            return items.length;
          },
        },
      },
    },
    { log: silent },
  );
  return { ...counter, asked, noted };
}

test("a place is asked for once, as a block or as one payload", async () => {
  const { job, note, asked, noted } = createCounter();
  expect(await job.run(signal)).toBe("idle");
  for (const index of [0, 1, 2]) note({ ref: ref(10, index), isWholeBlock: true });
  for (const index of [5, 5, 6]) note({ ref: ref(20, index), isWholeBlock: false });
  expect(await job.run(signal)).toBe("worked");
  note({ ref: ref(10), isWholeBlock: true });
  expect(await job.run(signal)).toBe("idle");
  expect(asked).toEqual([
    [
      { fileId: 1, offset: 10, index: null },
      { fileId: 1, offset: 20, index: 5 },
      { fileId: 1, offset: 20, index: 6 },
    ],
  ]);
  expect(noted).toHaveLength(3);
});

test("no more waits than has room, and none is lost by a failure", async () => {
  const { job, note, asked } = createCounter();
  for (let offset = 0; offset < 1_200; offset++) note({ ref: ref(offset), isWholeBlock: true });
  await job.run(signal);
  expect(asked.flat()).toHaveLength(1_000);
  expect(Math.max(...asked.map(({ length }) => length))).toBe(50);

  const failing = createDamageCounter(
    {
      events: { findPayloads: () => Promise.reject(new Error("busy")) },
      state: { damage: { noteDamaged: async () => 0 } },
    },
    { log: silent },
  );
  failing.note({ ref: ref(1), isWholeBlock: true });
  await expect(failing.job.run(signal)).rejects.toThrow("busy");
  await expect(failing.job.run(signal)).rejects.toThrow("busy");
});
