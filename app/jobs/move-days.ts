import { setTimeout as sleep } from "node:timers/promises";
import { MIB } from "../domain/bytes.ts";
import { isApplied, type Positions, readEnds } from "../domain/journal-positions.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS, toDay } from "../domain/time.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../log.server.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { type DayOfSignal, findMovedRows, type MovedDay, toStoredSignal } from "../stores/events/moved-days.ts";
import { readLoggedJournal, readLoggedTables, withoutMovedRows } from "../stores/events/row-log.ts";
import type { PayloadStore, RewrittenAppend } from "../stores/payload-store.ts";
import type { Job } from "./runner.ts";

/** If there is nothing to do, a run reads nothing. */
const EVERY_MS = 15 * SECOND_MS;
const RETRY_MS = 10 * MINUTE_MS;
/** Looking for days reads the table. After a look that found none, the next one waits. */
const LOOK_EVERY_MS = MINUTE_MS;
/** The most pieces that are summed before rows are moved. Without a bound, it might never end while rows come as fast as they are summed. */
const MAX_SUMMED_PIECES = 20;
/** The time after the end of a day until it is moved. It allows for the clocks of senders and for what waits in the journal. */
const SETTLED_AFTER_MS = HOUR_MS;
/**
 * With more waiting, the digest needs the store for itself. A record may hold a hundred spans: so many records are half a second of 20,000
 * spans a second.
 */
const MAX_BACKLOG_RECORDS = 1_000;
const MAX_BACKLOG_BYTES = 16 * MIB;
/** The most bytes a millisecond that are read to check files. */
const CHECKED_BYTES_PER_MS = 20_000;
/** The pause after each append that was read or written, because events and pages come first. */
const PAUSE_MS = 1;

export interface MoveDaysStores {
  events: Pick<EventStore, "movedDays" | "oldItems" | "appliedSequence" | "rollUp">;
  payloads: Pick<PayloadStore, "listFiles" | "rewrite" | "seal">;
  journals: ReadonlyArray<Pick<Journal, "id" | "firstSequence" | "durable">>;
}

interface MoveDaysOptions {
  backlog: () => { records: number; bytes: number };
  sealDigest: () => Promise<void>;
  /** Bytes that must stay free on the disk besides the copy of a file. */
  reserveBytes: number;
  /** Counts as damaged what the ledger has for these days and the store does not have. */
  countLost: (days: readonly DayOfSignal[]) => Promise<number>;
  /** Counts as accepted again what came back for these days. */
  countFound: (days: readonly DayOfSignal[]) => Promise<number>;
  log: Log;
  now: () => number;
}

/** Moves spans, transactions and logs into files. A slice is moved once enough has come, and the rest when the day is over. */
export function createMoveDaysJob(stores: MoveDaysStores, options: MoveDaysOptions): Job {
  const { log, now, backlog } = options;
  const { movedDays } = stores.events;
  /** The ends of the journals when the day was over. */
  let wanted: { before: number; ends: Positions } | null = null;
  let nextLook = 0;
  let nextCheck = 0;
  let counted = 0;

  async function run(signal: AbortSignal): Promise<"worked" | "idle"> {
    const { records, bytes } = backlog();
    if (records > MAX_BACKLOG_RECORDS || bytes > MAX_BACKLOG_BYTES) return "idle";
    if (!(await stores.events.oldItems.areConverted())) return "idle";
    const returned = [...movedDays.listReturned()];
    if (returned.length > 0) {
      const items = await options.countFound(returned);
      log.info({ days: returned, items }, "files of days were put back: their rows count as accepted again");
      await movedDays.forgetReturned();
    }
    const damaged = movedDays.listDamaged();
    if (damaged.length !== counted) {
      // Days that the row log still has are brought back by a rebuild.
      const items = await options.countLost(damaged.filter(({ isLogged }) => !isLogged));
      if (damaged.length > 0) log.error({ days: damaged, items }, "files of days are damaged: their rows are missing");
      counted = damaged.length;
    }
    await movedDays.finishMoves();
    const unstripped = movedDays.list().find(({ isStripped }) => !isStripped);
    if (unstripped) {
      await strip(unstripped, signal);
      return "worked";
    }
    if (await check()) return "worked";
    if (now() < nextLook) return "idle";
    const before = toDay(now() - SETTLED_AFTER_MS);
    if (wanted?.before !== before) wanted = { before, ends: readEnds(stores.journals) };
    // By then everything that came on these days is stored.
    if (!(await isApplied(stores.events, stores.journals, wanted.ends))) return "idle";
    const [due] = await movedDays.listDue(before);
    if (due !== undefined) {
      // Rows are summed while they are in the table. So readers of sums, and of rows that are not summed yet, need not read files.
      for (let at = 0; at < MAX_SUMMED_PIECES && (await stores.events.rollUp(now() + MINUTE_MS)); at++);
      const moved = await movedDays.move(due, signal);
      if (moved === null) return "idle";
      const { slice, rows, bytes } = moved;
      log.info({ ...due, slice, rows, bytes }, "rows of a day were moved into a file");
      await strip(moved, signal);
      return "worked";
    }
    const [sliced] = movedDays.listSliced(before);
    if (sliced !== undefined) {
      if (!(await movedDays.join(sliced, signal))) return "idle";
      log.info(sliced, "the files of a day that is over were joined");
      return "worked";
    }
    nextLook = now() + LOOK_EVERY_MS;
    return "idle";
  }

  /** The row log keeps the rows until the file is checked. */
  async function strip(day: MovedDay, signal: AbortSignal): Promise<void> {
    if (await movedDays.checkDay(day)) await stripRowLog(stores, day, { ...options, signal });
  }

  /** Returns whether a file was read. */
  async function check(): Promise<boolean> {
    if (now() < nextCheck) return false;
    const bytes = await movedDays.checkNext(now());
    nextCheck = now() + (bytes ?? 0) / CHECKED_BYTES_PER_MS;
    return bytes !== null;
  }

  return {
    name: "move-days",
    everyMs: EVERY_MS,
    retryMs: RETRY_MS,
    run: (signal) =>
      run(signal).catch((error: unknown) => {
        if (signal.aborted) return "worked";
        throw error;
      }),
  };
}

/**
 * Removes the rows that are in the file of a day from the row log. Until then they exist twice, and a rebuild leaves them out. So it can be
 * cut off and done again.
 */
export async function stripRowLog(
  { events, payloads }: Pick<MoveDaysStores, "payloads"> & { events: Pick<EventStore, "movedDays"> },
  day: MovedDay,
  { sealDigest, reserveBytes, signal }: Pick<MoveDaysOptions, "sealDigest" | "reserveBytes"> & { signal?: AbortSignal },
): Promise<void> {
  await payloads.seal();
  await sealDigest();
  // A batch is in the file of the day of its first record, which may be the day before.
  const stored = toStoredSignal(day.signal);
  const files = (await payloads.listFiles()).filter(
    (file) => file.signal === stored && (file.day === day.day || file.day === day.day - 1),
  );
  for (const { fileId } of files)
    await payloads.rewrite(fileId, async (entry) => withoutDay(entry, day), {
      reserveBytes,
      ...(signal && { signal }),
      pause: () => sleep(PAUSE_MS),
    });
  await events.movedDays.noteStripped(day);
}

function withoutDay(bytes: Uint8Array, day: MovedDay): RewrittenAppend | null {
  const journalId = readLoggedJournal(bytes);
  if (journalId === null) return null;
  const moved = readLoggedTables(bytes).map(({ rows }) => findMovedRows(rows, journalId, [day]));
  if (moved.every(({ size }) => size === 0)) return null;
  return { places: new Map(), entry: withoutMovedRows(bytes, moved) };
}
