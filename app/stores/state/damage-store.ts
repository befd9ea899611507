/** Something stored whose payload cannot be read. */
export interface DamagedItem {
  projectId: number;
  /** An event's id, or what an item is known by (stores/events/row-keys.ts). */
  key: string;
  category: string;
  quantity: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** The server's own: what of the ledger turned out to be damaged. */
export interface DamageStore {
  /**
   * Atomic: counts them as damaged instead of accepted, each once for ever; gives how many were new. Beyond `MAX_DAMAGED_ITEMS` nothing is
   * counted.
   */
  noteDamaged(items: readonly DamagedItem[]): Promise<number>;
}

/** They are remembered, so that none counts twice. */
export const MAX_DAMAGED_ITEMS = 100_000;
