/** A stored item whose payload cannot be read. */
export interface DamagedItem {
  projectId: number;
  /** An event's id, or what an item is known by (stores/events/row-keys.ts). */
  key: string;
  category: string;
  quantity: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** The number of items of one kind that a project has, or had, from one hour. */
export interface HeldCount {
  projectId: number;
  category: string;
  quantity: number;
}

/** The server's own: what of the ledger turned out to be damaged. */
export interface DamageStore {
  /**
   * Counts the items as damaged instead of accepted. No item ever counts twice. Returns how many were new. Beyond `MAX_DAMAGED_ITEMS`
   * nothing is counted. Atomic.
   */
  noteDamaged(items: readonly DamagedItem[]): Promise<number>;
  /** The items of the hour that are stored by the ledger: accepted ones, and those whose payload is damaged. */
  sumHeld(hour: number): Promise<HeldCount[]>;
  /**
   * Counts items of the hour that have lost their row as damaged (`row_lost`) instead of accepted. Returns how many. `sumHeld` no longer
   * contains them. Atomic.
   *
   * @param hour any instant of it
   */
  noteLost(hour: number, lost: readonly HeldCount[]): Promise<number>;
  /** The items of the hour that `noteLost` has counted. */
  sumLost(hour: number): Promise<HeldCount[]>;
  /** Counts lost items that were found again as accepted. Returns how many. Atomic. */
  noteFound(hour: number, found: readonly HeldCount[]): Promise<number>;
}

/** The number of damaged items that are remembered, so that none counts twice. */
export const MAX_DAMAGED_ITEMS = 100_000;
