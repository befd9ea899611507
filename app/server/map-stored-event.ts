import type { MappedStoredEvent } from "../access/workspace.ts";
import { type Grouping, groupEvent } from "../digest/grouping/group-event.ts";
import { scrubEvent } from "../digest/scrub/scrub-event.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import type { SymbolicateOptions, Symbolicator } from "../symbolicate/symbolicator-client.ts";

/** With what decides the issue of such an event. */
export interface RegroupableEvent extends MappedStoredEvent {
  grouping: Grouping;
}

/**
 * A stored event as the digest would store it now: mapped, scrubbed, grouped, in this order. What it was given stays as it
 * was; the result shares with it what is the same. Never throws for what the event is.
 */
export async function mapStoredEvent(
  symbolicator: Pick<Symbolicator, "symbolicate">,
  stored: StoredEvent,
  options: SymbolicateOptions,
): Promise<MappedStoredEvent> {
  const { event, isChanged, report, wanted } = await symbolicator.symbolicate(stored.event, options);
  if (!isChanged) return { stored, isChanged, report, wanted };
  const scrubbed = scrubEvent(event);
  const grouping = stored.grouping === null ? null : groupEvent(scrubbed).explanation;
  return { stored: { event: scrubbed, grouping }, isChanged, report, wanted };
}

export async function regroupStoredEvent(
  symbolicator: Pick<Symbolicator, "symbolicate">,
  stored: StoredEvent,
  { isMovedOver, ...options }: SymbolicateOptions & { isMovedOver: boolean },
): Promise<RegroupableEvent> {
  const mapped = await mapStoredEvent(symbolicator, stored, options);
  // For as long as there are events of before: their issue may have keys of version 1 alone.
  return { ...mapped, grouping: groupEvent(mapped.stored.event, isMovedOver) };
}
