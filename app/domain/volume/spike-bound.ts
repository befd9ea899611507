/** Hours of the past from which the usual number is computed. */
export const SPIKE_PAST_HOURS = 168;
/** A project with a shorter past has no bound, because its usual volume is not known. */
export const SPIKE_MIN_PAST_HOURS = 24;
/** The bound is never lower, so that small projects are left alone. Events an hour. */
export const SPIKE_MIN_BOUND = 1_000;
/** The bound is this many times the usual number. */
export const SPIKE_FACTOR = 5;
/** The first events of an issue that are always stored, however many come. */
export const FIRST_EVENTS_KEPT = 10;
/** Events an hour that are stored beyond the bound because their issue is new, so that a flood of new issues has an end, too. */
export const MAX_SPARED_AN_HOUR = 1_000;

/** The highest number of events that a project may store in an hour, and its usual number. */
export interface SpikeBound {
  bound: number;
  usual: number;
}

/**
 * Usual is the busiest of the past hours, without the busiest tenth of them.
 *
 * @param stored errors stored in each past hour that had any, in no order
 * @param pastHours hours since the project's first event; more than `SPIKE_PAST_HOURS` count as that
 * @returns null: too little past
 */
export function findSpikeBound(stored: readonly number[], pastHours: number): SpikeBound | null {
  if (pastHours < SPIKE_MIN_PAST_HOURS) return null;
  const hours = Math.min(pastHours, SPIKE_PAST_HOURS);
  const sorted = stored.toSorted((a, b) => b - a);
  const usual = sorted[Math.floor(hours / 10)] ?? 0;
  return { usual, bound: Math.max(SPIKE_MIN_BOUND, usual * SPIKE_FACTOR) };
}
