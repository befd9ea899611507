import { expect, test } from "vitest";
import { STORED_SIGNALS, type StoredSignal } from "../domain/stored-signal.ts";
import { createStorageWatch } from "./storage-watch.server.ts";

const signalDays = Object.fromEntries(STORED_SIGNALS.map((signal) => [signal, 90])) as Record<StoredSignal, number>;

test("a project has its share of payload files and, by its rows, of the event database", async () => {
  const watch = createStorageWatch({
    meter: { read: () => Promise.reject(new Error("not asked")), forget: () => {} },
    payloads: {
      listFiles: async () => [
        { fileId: 1, bytes: 900, day: 1, signal: "errors" },
        { fileId: 2, bytes: 100, day: 1, signal: null },
      ],
    },
    events: {
      movedDays: { list: () => [], listDamaged: () => [] },
      bytesOnDisk: async () => 4_000,
      sumStored: async () => [
        { projectId: 1, signal: "errors", day: 1, rows: 1, payloadBytes: 2_000 },
        { projectId: 2, signal: "errors", day: 1, rows: 2, payloadBytes: 1_000 },
        { projectId: 2, signal: "sessions", day: 1, rows: 5, payloadBytes: 0 },
      ],
    },
    limits: { maxBytes: null, reserveBytes: 0 },
    retention: { days: 90, signalDays },
    now: () => 0,
  });
  const sums = await watch.sumByProject();
  expect(sums.map(({ projectId, signal, bytes, rowBytes }) => [projectId, signal, bytes, rowBytes])).toEqual([
    [1, "errors", 667, 500],
    [2, "errors", 333, 1_000],
    [2, "sessions", 0, 2_500],
  ]);
});
