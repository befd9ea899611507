/** Ids that are remembered at once, about 100 bytes each; older ones are forgotten first. */
const MAX_REMEMBERED = 200_000;

/** Which accepted events still wait for their digest. */
export interface PendingEvents {
  /** Call it when the record is durable. */
  add(eventId: string, sequence: number): void;
  /** Everything below is stored. */
  advance(appliedSequence: number): void;
  has(eventId: string): boolean;
  readonly size: number;
}

export function createPendingEvents(): PendingEvents {
  // In the order of their sequences, near enough: that of their appends.
  const sequences = new Map<string, number>();
  let applied = 0;
  return {
    add(eventId, sequence) {
      // The digest may have been faster than whoever tells.
      if (sequence < applied) return;
      sequences.set(eventId, sequence);
      if (sequences.size > MAX_REMEMBERED) sequences.delete(sequences.keys().next().value as string);
    },
    advance(appliedSequence) {
      applied = Math.max(applied, appliedSequence);
      for (const [eventId, sequence] of sequences) {
        if (sequence < applied) sequences.delete(eventId);
        // Appends that resolve together may be told in any order, but never thousands apart.
        else if (sequence > applied + 1000) break;
      }
    },
    has(eventId) {
      const sequence = sequences.get(eventId);
      return sequence !== undefined && sequence >= applied;
    },
    get size() {
      return sequences.size;
    },
  };
}
