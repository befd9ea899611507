/** Stored events of an issue within the time of a rule. */
export interface StoredCount {
  issueId: number;
  /** Of those that the rule is about. */
  fitting: number;
  /** Of all. */
  all: number;
}

/**
 * Events of each issue that a rule counts, those too that were counted and not stored: all of them where the rule is about all events. Else nobody
 * knows which of them it is about, and the share is taken that it has of the stored ones. Where none is stored, none of them counts.
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
