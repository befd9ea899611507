import { planStorage } from "../domain/storage/plan-storage.ts";
import type { Retention } from "../domain/storage/retention.ts";
import type { ProjectStorage, StorageState } from "../domain/storage/storage-state.ts";
import type { StorageWatch } from "../domain/storage/storage-watch.ts";
import type { StoredSignal } from "../domain/stored-signal.ts";
import { MINUTE_MS } from "../domain/time.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { type DayOfSignal, type MovedDays, toStoredSignal } from "../stores/events/moved-days.ts";
import type { PayloadFile, PayloadStore } from "../stores/payload-store.ts";
import { type DiskMeter, sumBytes } from "./disk-meter.server.ts";

/** Summing reads a few columns of every row. */
const SUMS_LIVE_MS = 5 * MINUTE_MS;

/** Measures the size and the growth of the data folder, and finds data that must be deleted. */
export function createStorageWatch({
  meter,
  payloads,
  events,
  limits,
  retention,
  now,
}: {
  meter: DiskMeter;
  payloads: Pick<PayloadStore, "listFiles">;
  events: Pick<EventStore, "sumStored" | "bytesOnDisk"> & { movedDays: Pick<MovedDays, "list" | "listDamaged"> };
  limits: { maxBytes: number | null; reserveBytes: number };
  retention: Retention;
  now: () => number;
}): StorageWatch {
  let last: StorageState | null = null;
  let sums: { at: number; value: Promise<ProjectStorage[]> } | null = null;

  async function sum(): Promise<ProjectStorage[]> {
    const files = await payloads.listFiles();
    const stored = await events.sumStored();
    const unpacked = new Map<StoredSignal, number>();
    for (const { signal, payloadBytes } of stored) {
      unpacked.set(signal, (unpacked.get(signal) ?? 0) + payloadBytes);
    }
    const shared = bytesOf(files, null);
    const databaseBytes = await events.bytesOnDisk();
    const allRows = stored.reduce((total, { rows }) => total + rows, 0);
    const all = [...unpacked.values()].reduce((total, bytes) => total + bytes, 0);
    const byKey = new Map<string, ProjectStorage>();
    for (const { projectId, signal, rows, payloadBytes } of stored) {
      const key = `${projectId} ${signal}`;
      const sum = byKey.get(key) ?? { projectId, signal, rows: 0, bytes: 0, rowBytes: 0 };
      const ofSignal = unpacked.get(signal) ?? 0;
      sum.rows += rows;
      if (allRows > 0) sum.rowBytes += (databaseBytes * rows) / allRows;
      if (ofSignal > 0) sum.bytes += (bytesOf(files, signal) * payloadBytes) / ofSignal;
      if (all > 0) sum.bytes += (shared * payloadBytes) / all;
      byKey.set(key, sum);
    }
    return Array.from(byKey.values(), (each) => ({
      ...each,
      bytes: Math.round(each.bytes),
      rowBytes: Math.round(each.rowBytes),
    }));
  }

  return {
    async measure() {
      meter.forget();
      const [use, files] = await Promise.all([meter.read(), payloads.listFiles()]);
      const moved = events.movedDays.list().map(asStored);
      const at = now();
      const usedBytes = sumBytes(use);
      const plan = planStorage({
        now: at,
        usedBytes,
        rowBytes: use.partBytes.get("events") ?? 0,
        freeBytes: use.freeBytes,
        days: [...files, ...moved],
        retentionDays: retention.signalDays,
        ...limits,
      });
      const { freeBytes, sizeBytes } = use;
      const parts = Array.from(use.partBytes, ([part, bytes]) => ({ part, bytes })).sort((a, b) => b.bytes - a.bytes);
      last = {
        usedBytes,
        freeBytes,
        sizeBytes,
        parts,
        signals: toSignals([...files, ...moved]),
        retention,
        plan,
      };
      return last;
    },
    last: () => last,
    lostDays: () => events.movedDays.listDamaged().map(asStored),
    sumByProject() {
      if (sums === null || now() - sums.at >= SUMS_LIVE_MS || now() < sums.at) {
        sums = { at: now(), value: sum() };
        // After a failure, the next call asks again.
        sums.value.catch(() => {
          sums = null;
        });
      }
      return sums.value;
    },
  };
}

function asStored<Day extends DayOfSignal>(day: Day) {
  return { ...day, signal: toStoredSignal(day.signal) };
}

function bytesOf(files: readonly PayloadFile[], signal: StoredSignal | null): number {
  return files.reduce((sum, file) => (file.signal === signal ? sum + file.bytes : sum), 0);
}

function toSignals(files: ReadonlyArray<Omit<PayloadFile, "fileId">>): StorageState["signals"] {
  const signals = new Map<StoredSignal | null, StorageState["signals"][number]>();
  for (const { signal, bytes, day } of files) {
    const known = signals.get(signal) ?? { signal, bytes: 0, oldestDay: day };
    known.bytes += bytes;
    known.oldestDay = Math.min(known.oldestDay, day);
    signals.set(signal, known);
  }
  return [...signals.values()];
}
