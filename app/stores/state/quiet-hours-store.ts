import type { QuietHours } from "../../domain/people/quiet-hours.ts";
import type { Scope } from "../../domain/scope.ts";

/** What waits for the end of somebody's quiet hours. */
export interface HeldNews {
  projectId: number;
  /** What the message about the project will tell. */
  changeCount: number;
  /** When the first of it came. */
  since: number;
}

/**
 * When persons want no mail. `DeliveryStore.claim` leaves their messages where they are while it is quiet: nothing is written down
 * for that, so other quiet hours, or another clock, hold at once for what waits.
 */
export interface QuietHoursStore {
  /** Null: the person has none. */
  getQuietHours(userId: number): Promise<QuietHours | null>;
  saveQuietHours(userId: number, hours: QuietHours | null): Promise<void>;
  /** Messages to the person, and to the person's address, that are due and wait because it is quiet; by project. */
  listHeld(scope: Scope, userId: number, now: number): Promise<HeldNews[]>;
}
