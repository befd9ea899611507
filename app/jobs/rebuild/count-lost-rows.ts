import { setTimeout as sleep } from "node:timers/promises";
import { areBelow, type Positions } from "../../domain/journal-positions.ts";
import { categoriesOf, type StoredSignal, toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { DamageStore, HeldCount } from "../../stores/state/damage-store.ts";
import type { DeletionWork } from "../../stores/state/deletion-store.ts";
import type { ExpirationStore } from "../../stores/state/expiration-store.ts";

/** Each accepted item of these has a row until it is deleted or expires with its signal. Of other kinds, some go earlier. */
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

/** A batch lies in the file of the day of its first record, and may reach into the next one. */
const DAYS_OF_FILE = 2;

const POLL_MS = 100;

/** Rows of these files could not be read. `signal` null: of every signal. */
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
 * Nobody knows whose rows a damaged entry had. But the ledger knows what is stored, and the event store what is there: what is missing of the
 * days of the damaged files counts as damaged instead of accepted. What was counted is missing no more. Gives how many items they are.
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
    // Rows come after the ledger: those that it counts by now must be there.
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

/** False when they do not come: the server is stopped, and its journal has the rest of them. */
async function waitForRows({ positions }: Pick<LostRowStores, "positions">): Promise<boolean> {
  const wanted = (await positions()).state;
  for (let waitedMs = 0; waitedMs < MINUTE_MS; waitedMs += POLL_MS) {
    if (areBelow(wanted, (await positions()).events)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
