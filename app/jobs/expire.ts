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
 * The steps that delete what came before the instants, for `runDeletions`. What goes is counted before: a crash between counting and
 * deleting counts nothing twice, because the count says up to when it is.
 *
 * @param ageCutoffs by retention alone: what goes beyond them goes for lack of space
 */
export function expire(
  stores: ExpiringStores,
  { cutoffs, ageCutoffs, now }: { cutoffs: Cutoffs; ageCutoffs: Cutoffs; now: number },
) {
  return {
    /** Gives how many items were counted. */
    counted: () => countExpired(stores, { cutoffs, ageCutoffs, now }),
    // Rows first: a row whose payload is gone shows less than it promises, a payload without its row is only waste.
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
