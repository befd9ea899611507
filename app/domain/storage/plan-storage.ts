import { type Cutoffs, STORED_SIGNALS, type StoredSignal, toCutoffs } from "../stored-signal.ts";
import { DAY_MS, toDay } from "../time.ts";
import type { StorageFacts, StoredDay } from "./storage-facts.ts";
import { findFull, measureGrowth, type StorageGrowth } from "./storage-growth.ts";

/** A day of a signal that goes. */
export interface Expiry extends StoredDay {
  /** Start of the day (UTC) on which it goes, in milliseconds since 1970; of today: it is due. */
  at: number;
  /** `age`: its retention is over. `space`: before that, because the folder would be full. */
  reason: "age" | "space";
}

export interface StoragePlan {
  /** Size of the data folder at which nothing new is accepted. */
  limitBytes: number;
  limitedBy: "setting" | "disk";
  /** The oldest days go when the folder is larger. */
  dropAboveBytes: number;
  /** Bytes a day, measured over the last seven days. */
  growthBytes: number;
  /** When the folder would reach its limit if days were deleted only by retention. Null: never. */
  fullAt: number | null;
  /** Days to delete now to make room, the oldest first. */
  due: Expiry[];
  /** Days to be deleted next, in order. */
  upcoming: Expiry[];
  /** Even without all days before today, the folder would be larger than `dropAboveBytes`. */
  isTooSmall: boolean;
  /** For each signal, the time before which all rows are due for deletion. 0: none are. */
  dueCutoffs: Cutoffs;
  /** Below these, retention deletes it anyway. */
  ageCutoffs: Cutoffs;
}

const UPCOMING_DAYS = 14;
const MIN_HEADROOM = 0.02;
const MAX_HEADROOM = 0.2;
/** Within a day, the least valuable signal goes first. */
const GIVE_UP_ORDER: ReadonlyArray<StoredSignal | null> = [...STORED_SIGNALS.toReversed(), null];

/**
 * Decides which days go so that the data folder never reaches the size at which nothing is accepted: the oldest day first, and
 * within a day the signals in the order of `STORED_SIGNALS`, errors last. Today's never go.
 */
export function planStorage(facts: StorageFacts): StoragePlan {
  const { now, usedBytes, freeBytes, reserveBytes, maxBytes, retentionDays } = facts;
  const today = toDay(now);
  const byDisk = Math.max(0, usedBytes + freeBytes - reserveBytes);
  const limitBytes = maxBytes === null ? byDisk : Math.min(maxBytes, byDisk);
  const growth = measureGrowth(facts);
  const headroom = Math.min(Math.max(growth.bytes, limitBytes * MIN_HEADROOM), limitBytes * MAX_HEADROOM);
  const dropAboveBytes = limitBytes - headroom;
  const ageCutoffs = toCutoffs((signal) => now - retentionDays[signal] * DAY_MS);
  const folder = new SimulatedFolder(facts.days, usedBytes, retentionDays);

  // Retention deletes these days anyway, so they do not count as a loss.
  folder.dropOld(now);
  const due = folder.dropOldest({ toBytes: dropAboveBytes, before: today, at: today * DAY_MS });
  const dueCutoffs = toDueCutoffs(due);
  const isTooSmall = folder.usedBytes > dropAboveBytes;

  const upcoming: Expiry[] = [];
  for (let ahead = 1; ahead <= UPCOMING_DAYS; ahead++) {
    const day = today + ahead;
    folder.grow(day, growth);
    upcoming.push(...folder.dropOld(day * DAY_MS));
    upcoming.push(...folder.dropOldest({ toBytes: dropAboveBytes, before: day, at: day * DAY_MS }));
  }
  return {
    limitBytes,
    limitedBy: maxBytes !== null && maxBytes <= byDisk ? "setting" : "disk",
    dropAboveBytes,
    growthBytes: growth.bytes,
    fullAt: findFull(facts, growth, limitBytes),
    due,
    upcoming: upcoming.filter(({ day }) => day <= today),
    isTooSmall,
    dueCutoffs,
    ageCutoffs,
  };
}

function toDueCutoffs(due: readonly Expiry[]): Cutoffs {
  return toCutoffs((signal) =>
    Math.max(
      0,
      ...due.filter((each) => each.signal === signal || each.signal === null).map(({ day }) => (day + 1) * DAY_MS),
    ),
  );
}

/** The days of a folder as they come and go. */
class SimulatedFolder {
  usedBytes: number;
  readonly #retentionDays: StorageFacts["retentionDays"];
  readonly #maxRetention: number;
  /** The next to go last. */
  #days: StoredDay[];

  constructor(days: readonly StoredDay[], usedBytes: number, retentionDays: StorageFacts["retentionDays"]) {
    this.usedBytes = usedBytes;
    this.#retentionDays = retentionDays;
    this.#maxRetention = Math.max(...Object.values(retentionDays));
    const rank = ({ signal }: StoredDay) => GIVE_UP_ORDER.indexOf(signal);
    this.#days = mergeFiles(days).sort((a, b) => b.day - a.day || rank(b) - rank(a));
  }

  grow(day: number, { bySignal }: StorageGrowth): void {
    for (const [signal, bytes] of bySignal) {
      this.usedBytes += bytes;
      this.#days.unshift({ day, signal, bytes });
    }
  }

  /** Days that are older than their retention. */
  dropOld(now: number): Expiry[] {
    const isOld = ({ day, signal }: StoredDay) => {
      const days = signal === null ? this.#maxRetention : this.#retentionDays[signal];
      return (day + 1) * DAY_MS <= now - days * DAY_MS;
    };
    const dropped = this.#days.filter(isOld);
    if (dropped.length === 0) return [];
    this.#days = this.#days.filter((each) => !isOld(each));
    for (const { bytes } of dropped) this.usedBytes -= bytes;
    return dropped.reverse().map((each) => ({ ...each, at: toDay(now) * DAY_MS, reason: "age" }));
  }

  dropOldest({ toBytes, before, at }: { toBytes: number; before: number; at: number }): Expiry[] {
    const dropped: Expiry[] = [];
    while (this.usedBytes > toBytes) {
      const next = this.#days.at(-1);
      if (next === undefined || next.day >= before) break;
      this.#days.pop();
      this.usedBytes -= next.bytes;
      dropped.push({ ...next, at, reason: "space" });
    }
    return dropped;
  }
}

/** A signal has several files a day: a start begins a new one. */
function mergeFiles(days: readonly StoredDay[]): StoredDay[] {
  const merged = new Map<string, StoredDay>();
  for (const { day, signal, bytes } of days) {
    const key = `${day} ${signal}`;
    merged.set(key, { day, signal, bytes: bytes + (merged.get(key)?.bytes ?? 0) });
  }
  return [...merged.values()];
}
