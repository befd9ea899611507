import { STORED_SIGNALS, type StoredSignal } from "../stored-signal.ts";
import { DAY_MS, toDay } from "../time.ts";
import type { StorageFacts } from "./storage-facts.ts";

const GROWTH_DAYS = 7;

export interface StorageGrowth {
  /** Bytes a day, by signal. Null: payload files of earlier versions, which hold all signals together. */
  bySignal: ReadonlyMap<StoredSignal | null, number>;
  bytes: number;
}

/** Measures growth over the last seven full days. On the first day, it uses the data of today. */
export function measureGrowth(facts: Pick<StorageFacts, "now" | "days" | "rowBytes">): StorageGrowth {
  const { days } = facts;
  const today = toDay(facts.now);
  const firstDay = days.reduce((first, { day }) => Math.min(first, day), today);
  const fullDays = Math.min(GROWTH_DAYS, today - firstDay);
  const recent = days.filter(({ day }) => (fullDays > 0 ? day >= today - fullDays && day < today : day >= today));
  const withRows = 1 + shareOfRows(facts);
  const bySignal = new Map<StoredSignal | null, number>();
  for (const { signal, bytes } of recent) {
    bySignal.set(signal, (bySignal.get(signal) ?? 0) + (bytes * withRows) / Math.max(1, fullDays));
  }
  return { bySignal, bytes: Math.round([...bySignal.values()].reduce((sum, bytes) => sum + bytes, 0)) };
}

/** When the folder would reach its limit if days were deleted only by retention. Null: never. */
export function findFull(facts: StorageFacts, growth: StorageGrowth, limitBytes: number): number | null {
  if (facts.usedBytes >= limitBytes) return facts.now;
  const today = toDay(facts.now);
  const retentionOf = (signal: StoredSignal | null) =>
    signal === null
      ? Math.max(...STORED_SIGNALS.map((each) => facts.retentionDays[each]))
      : facts.retentionDays[signal];
  /** Bytes that go, by the day on which they do. */
  const expiring = new Map<number, number>();
  const withRows = 1 + shareOfRows(facts);
  for (const { day, signal, bytes } of facts.days) {
    const at = Math.max(today + 1, day + retentionOf(signal) + 1);
    expiring.set(at, (expiring.get(at) ?? 0) + bytes * withRows);
  }
  let bytes = facts.usedBytes;
  // The folder has its full size once all present data has reached its retention.
  const horizon = retentionOf(null) + 1;
  for (let ahead = 1; ahead <= horizon; ahead++) {
    for (const [signal, perDay] of growth.bySignal) if (ahead <= retentionOf(signal) + 1) bytes += perDay;
    bytes -= expiring.get(today + ahead) ?? 0;
    if (bytes >= limitBytes) return (today + ahead) * DAY_MS;
  }
  return null;
}

/** Rows of an event for each byte of its payload. A database that is new is larger than its rows. */
function shareOfRows({ days, rowBytes }: Pick<StorageFacts, "days" | "rowBytes">): number {
  const payloadBytes = days.reduce((sum, { bytes }) => sum + bytes, 0);
  return payloadBytes === 0 ? 0 : Math.min(1, rowBytes / payloadBytes);
}
