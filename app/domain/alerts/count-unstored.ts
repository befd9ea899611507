/** Stored events of an issue within the time of a rule. */
export interface StoredCount {
  issueId: number;
  /** Stored events that fit the rule's conditions. */
  fitting: number;
  /** All stored events of the issue. */
  all: number;
}

/**
 * The number of events that a rule counts, by issue. It includes events that were counted but not stored. A rule about all events
 * counts every one of those. For other rules it is unknown which of them fit: they count in the same share as the issue's stored events
 * that fit, and not at all if none is stored.
 */
export function countWithUnstored(
  stored: readonly StoredCount[],
  unstored: ReadonlyMap<number, number>,
  isOfAllEvents: boolean,
): Map<number, number> {
  const counts = new Map(
    stored.map(({ issueId, fitting, all }): [number, number] => {
      const missing = unstored.get(issueId) ?? 0;
      const share = isOfAllEvents ? 1 : all === 0 ? 0 : Math.min(1, fitting / all);
      return [issueId, fitting + Math.round(missing * share)];
    }),
  );
  if (isOfAllEvents) for (const [issueId, missing] of unstored) if (!counts.has(issueId)) counts.set(issueId, missing);
  return counts;
}
