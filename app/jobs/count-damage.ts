import { SECOND_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import type { PayloadDamage } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 5 * SECOND_MS;
/** Places that are counted in one step. */
const PLACES_AT_ONCE = 50;
/** The most places that wait to be counted. Further ones are not noted now: a later read will report them again. */
const MAX_WAITING = 1_000;
/** The most places that this process remembers as counted. They are not counted again when their page is opened again. */
const MAX_COUNTED = 10_000;

/**
 * Counts damaged payloads in the ledger. Readers only note the place where they met damage. The job finds the items there (all items of a
 * block that cannot be read) and counts them as damaged. An item is counted only once, also after a restart.
 */
export function createDamageCounter(
  stores: { state: { damage: Pick<State["damage"], "noteDamaged"> }; events: Pick<EventStore, "findPayloads"> },
  { log }: { log: Log },
): { job: Job; note(damage: PayloadDamage): void } {
  const waiting = new Map<string, PayloadDamage>();
  const counted = new Set<string>();
  return {
    note(damage) {
      const key = toKey(damage);
      if (waiting.size >= MAX_WAITING || counted.has(key)) return;
      waiting.set(key, damage);
    },
    job: {
      name: "damage",
      everyMs: EVERY_MS,
      async run(signal) {
        let hasWorked = false;
        while (waiting.size > 0 && !signal.aborted) {
          const step = [...waiting].slice(0, PLACES_AT_ONCE);
          const found = await stores.events.findPayloads(
            step.map(([, { ref, isWholeBlock }]) => ({ ...ref, index: isWholeBlock ? null : ref.index })),
          );
          const items = await stores.state.damage.noteDamaged(found);
          if (items > 0) log.warn({ items, places: step.length }, "damaged payloads are counted");
          if (counted.size > MAX_COUNTED) counted.clear();
          for (const [key] of step) {
            waiting.delete(key);
            counted.add(key);
          }
          hasWorked = true;
        }
        return hasWorked ? "worked" : "idle";
      },
    },
  };
}

function toKey({ ref: { fileId, offset, index }, isWholeBlock }: PayloadDamage): string {
  return `${fileId}:${offset}:${isWholeBlock ? "" : index}`;
}
