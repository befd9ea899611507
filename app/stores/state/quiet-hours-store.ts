import type { QuietHours } from "../../domain/people/quiet-hours.ts";
import type { Scope } from "../../domain/scope.ts";

/** A message that waits for the end of a person's quiet hours. */
export interface HeldNews {
  projectId: number;
  /** The number of changes that the message about the project will have. */
  changeCount: number;
  /** When the first of them came. */
  since: number;
}

/**
 * The quiet hours of people. `DeliveryStore.claim` leaves their messages in the queue meanwhile. Nothing is written for that, so
 * changed quiet hours or another clock count at once for waiting messages.
 */
export interface QuietHoursStore {
  /** Null: the person has none. */
  getQuietHours(userId: number): Promise<QuietHours | null>;
  saveQuietHours(userId: number, hours: QuietHours | null): Promise<void>;
  /** Messages to the person, and to the person's address, that are due and wait because it is quiet; by project. */
  listHeld(scope: Scope, userId: number, now: number): Promise<HeldNews[]>;
}
