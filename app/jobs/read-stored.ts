import type { Scope } from "../domain/scope.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { ignoreDamaged } from "../stores/payload-store.ts";

/** Reads an event as it is stored. Null: it does not exist any more, or is damaged. */
export async function readStored(
  { events, payloads }: { events: Pick<EventStore, "getEvent">; payloads: Pick<EventPayloads, "readEvent"> },
  scope: Scope,
  eventId: string,
): Promise<Awaited<ReturnType<EventPayloads["readEvent"]>> | null> {
  const row = await events.getEvent(eventId, scope.projectIds);
  return row && (await ignoreDamaged(payloads.readEvent(row.payload)));
}
