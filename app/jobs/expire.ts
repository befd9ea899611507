import type { ExpiryReason, OutcomeCount } from "../domain/outcome.ts";
import { type Cutoffs, STORED_SIGNALS, toCutoffs } from "../domain/stored-signal.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import type { State } from "../stores/state/state.ts";

export interface ExpiringStores {
  state: Pick<State, "expirations">;
  events: Pick<EventStore, "countExpired" | "dropBefore">;
  payloads: Pick<PayloadStore, "dropBefore">;
}

/**
 * The steps for `runDeletions` that delete everything older than the cutoffs. Items are counted as expired before they are deleted. The
 * count is stored with the instant up to which it goes, so a crash in between counts nothing twice.
 * @param ageCutoffs the cutoffs of retention alone; what is deleted beyond them is deleted for lack of space
 */
export function expire(
  stores: ExpiringStores,
  { cutoffs, ageCutoffs, now }: { cutoffs: Cutoffs; ageCutoffs: Cutoffs; now: number },
) {
  return {
    /** Returns how many items were counted. */
    counted: () => countExpired(stores, { cutoffs, ageCutoffs, now }),
    // Rows are deleted first: a row without its payload shows less than it promises, but a payload without its row is only waste.
    events: () => stores.events.dropBefore(cutoffs, now),
    payloadBytes: () => stores.payloads.dropBefore(cutoffs),
  };
}

async function countExpired(
  { state, events }: ExpiringStores,
  { cutoffs, ageCutoffs, now }: { cutoffs: Cutoffs; ageCutoffs: Cutoffs; now: number },
): Promise<number> {
  const since = await state.expirations.expiredUpTo();
  if (STORED_SIGNALS.every((signal) => cutoffs[signal] <= since[signal])) return 0;
  const counts: OutcomeCount[] = [];
  const add = async (upTo: Cutoffs, from: Cutoffs, reason: ExpiryReason) => {
    for (const { projectId, category, quantity } of await events.countExpired(upTo, from)) {
      counts.push({ projectId, category, outcome: "expired", reason, quantity, receivedAt: now });
    }
  };
  await add(ageCutoffs, since, "retention");
  await add(
    cutoffs,
    toCutoffs((signal) => Math.max(since[signal], ageCutoffs[signal])),
    "disk_space",
  );
  await state.expirations.noteExpired({ cutoffs, counts });
  return counts.reduce((sum, { quantity }) => sum + quantity, 0);
}
