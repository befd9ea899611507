import type { Scope } from "../domain/scope.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { DamagedPayloadError } from "../stores/payload-store.ts";

/** Reads an event as it is stored. Null: it does not exist any more, or is damaged. */
export async function readStored(
  { events, payloads }: { events: Pick<EventStore, "getEvent">; payloads: Pick<EventPayloads, "readEvent"> },
  scope: Scope,
  eventId: string,
): Promise<Awaited<ReturnType<EventPayloads["readEvent"]>> | null> {
  const row = await events.getEvent(eventId, scope.projectIds);
  try {
    return row && (await payloads.readEvent(row.payload));
  } catch (error) {
    if (error instanceof DamagedPayloadError) return null;
    throw error;
  }
}
