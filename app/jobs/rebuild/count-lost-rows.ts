import { setTimeout as sleep } from "node:timers/promises";
import { areBelow, type Positions } from "../../domain/journal-positions.ts";
import { categoriesOf, type StoredSignal, toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { DamageStore, HeldCount } from "../../stores/state/damage-store.ts";
import type { DeletionWork } from "../../stores/state/deletion-store.ts";
import type { ExpirationStore } from "../../stores/state/expiration-store.ts";

/** In these signals, each accepted item has a row until it is deleted or expires with its signal. Rows of other signals may go earlier. */
const COUNTED_SIGNALS: readonly StoredSignal[] = [
  "errors",
  "feedback",
  "logs",
  "transactions",
  "spans",
  "attachments",
  "profiles",
  "replays",
];

/** A batch is in the file of the day of its first record, and may reach into the next day. */
const DAYS_OF_FILE = 2;

const POLL_MS = 100;

/** A file with rows that could not be read. `signal` null: the file has every signal. */
export interface DamagedFile {
  day: number;
  signal: StoredSignal | null;
}

export interface LostRowStores {
  events: Pick<EventStore, "countExpired">;
  damage: Pick<DamageStore, "sumHeld" | "noteLost">;
  deletions: Pick<DeletionWork, "listDeletedProjects">;
  expirations: Pick<ExpirationStore, "expiredUpTo">;
  /** How far state and events have applied the journals. */
  positions(): Promise<{ state: Positions; events: Positions }>;
}

/**
 * Counts the rows of damaged entries as damaged instead of accepted. Nobody can read whose rows these were. But the ledger knows how many
 * items are stored on the days of the files, and the event store how many rows it has: the difference is lost. Items that were counted
 * before are not missing any more. Returns how many items these are.
 */
export async function countLostRows(stores: LostRowStores, files: readonly DamagedFile[]): Promise<number> {
  if (files.length === 0) return 0;
  const expiredUpTo = await stores.expirations.expiredUpTo();
  const categoriesByHour = new Map<number, Set<string>>();
  for (const { day, signal } of files) {
    const signals = COUNTED_SIGNALS.filter((each) => signal === null || each === signal);
    for (let at = day * DAY_MS; at < (day + DAYS_OF_FILE) * DAY_MS; at += HOUR_MS) {
      const categories = categoriesByHour.get(at) ?? new Set();
      categoriesByHour.set(at, categories);
      for (const each of signals)
        if (at >= expiredUpTo[each]) for (const category of categoriesOf(each)) categories.add(category);
    }
  }
  const deletedProjects = new Set(await stores.deletions.listDeletedProjects());
  let lost = 0;
  for (const [at, categories] of categoriesByHour) {
    const held = (await stores.damage.sumHeld(at)).filter(
      ({ projectId, category }) => categories.has(category) && !deletedProjects.has(projectId),
    );
    if (held.length === 0) continue;
    // Rows are written after the ledger, so the event store must first have those that the ledger counts now.
    if (!(await waitForRows(stores))) break;
    const rows = await stores.events.countExpired(
      toCutoffs(() => at + HOUR_MS),
      toCutoffs(() => at),
    );
    lost += await stores.damage.noteLost(at, withoutRows(held, rows));
  }
  return lost;
}

function withoutRows(held: readonly HeldCount[], rows: readonly HeldCount[]): HeldCount[] {
  const toKey = ({ projectId, category }: HeldCount) => `${projectId} ${category}`;
  const there = new Map(rows.map((each) => [toKey(each), each.quantity]));
  return held.flatMap((each) => {
    const quantity = each.quantity - (there.get(toKey(each)) ?? 0);
    return quantity > 0 ? [{ ...each, quantity }] : [];
  });
}

/**
 * Waits until the event store has what state has counted. False: it does not come, because the server is stopped and the rest is still in
 * its journal.
 */
async function waitForRows({ positions }: Pick<LostRowStores, "positions">): Promise<boolean> {
  const wanted = (await positions()).state;
  for (let waitedMs = 0; waitedMs < MINUTE_MS; waitedMs += POLL_MS) {
    if (areBelow(wanted, (await positions()).events)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
