import { categoriesOf, toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import { type DayOfSignal, toStoredSignal } from "../../stores/events/moved-days.ts";
import type { DamageStore, HeldCount } from "../../stores/state/damage-store.ts";

interface FoundRowStores {
  events: Pick<EventStore, "countExpired">;
  damage: Pick<DamageStore, "sumHeld" | "sumLost" | "noteFound">;
}

/**
 * The opposite of `countLostRows`, for days whose file was put back. It counts as accepted again the rows that the event store has beyond
 * what the ledger holds, up to the number that was counted as lost. Returns how many items these are.
 */
export async function countFoundRows(stores: FoundRowStores, days: readonly DayOfSignal[]): Promise<number> {
  let found = 0;
  for (const { day, signal } of days) {
    const categories = new Set<string>(categoriesOf(toStoredSignal(signal)));
    for (let at = day * DAY_MS; at < (day + 1) * DAY_MS; at += HOUR_MS) {
      const lost = (await stores.damage.sumLost(at)).filter(({ category }) => categories.has(category));
      if (lost.length === 0) continue;
      const held = toQuantities(await stores.damage.sumHeld(at));
      const rows = toQuantities(
        await stores.events.countExpired(
          toCutoffs(() => at + HOUR_MS),
          toCutoffs(() => at),
        ),
      );
      const back = lost.flatMap((each) => {
        const key = toKey(each);
        const quantity = Math.min(each.quantity, (rows.get(key) ?? 0) - (held.get(key) ?? 0));
        return quantity > 0 ? [{ ...each, quantity }] : [];
      });
      found += await stores.damage.noteFound(at, back);
    }
  }
  return found;
}

function toQuantities(counts: readonly HeldCount[]): ReadonlyMap<string, number> {
  return new Map(counts.map((each) => [toKey(each), each.quantity]));
}

function toKey({ projectId, category }: HeldCount): string {
  return `${projectId} ${category}`;
}
