/** Ids that are remembered at once, about 100 bytes each; older ones are forgotten first. */
const MAX_REMEMBERED = 200_000;

/** The accepted events that still wait for their digest. */
export interface PendingEvents {
  /** Call it when the record is durable. */
  add(eventId: string, sequence: number, projectId: number): void;
  /** Forgets the events of all records below this sequence, because they are stored. */
  advance(appliedSequence: number): void;
  /** The project of an event that waits; null: it does not. */
  findProject(eventId: string): number | null;
  readonly size: number;
}

export function createPendingEvents(): PendingEvents {
  // Nearly in the order of their sequences: in the order of their appends.
  const events = new Map<string, { sequence: number; projectId: number }>();
  let applied = 0;
  return {
    add(eventId, sequence, projectId) {
      // The digest may have stored the record before this call.
      if (sequence < applied) return;
      events.set(eventId, { sequence, projectId });
      if (events.size > MAX_REMEMBERED) events.delete(events.keys().next().value as string);
    },
    advance(appliedSequence) {
      applied = Math.max(applied, appliedSequence);
      for (const [eventId, { sequence }] of events) {
        if (sequence < applied) events.delete(eventId);
        // Appends that resolve together may be told in any order, but never thousands apart.
        else if (sequence > applied + 1000) break;
      }
    },
    findProject(eventId) {
      const event = events.get(eventId);
      return event !== undefined && event.sequence >= applied ? event.projectId : null;
    },
    get size() {
      return events.size;
    },
  };
}
