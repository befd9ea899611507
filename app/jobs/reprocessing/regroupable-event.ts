import type { MappedStoredEvent } from "../../domain/mapped-stored-event.ts";
import type { Grouping } from "../../grouping/group-event.ts";

/** A stored event as the digest would store it now, with what decides its issue. */
export interface RegroupableEvent extends MappedStoredEvent {
  grouping: Grouping;
}
