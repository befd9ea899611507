/** The goals of a project for its releases: shares of sessions without a crash, from 0 to 1. */
export interface HealthGoal {
  /** The share to aim at. The crashes that it allows are the error budget. */
  target: number;
  /** Below this, something has to be done. At most the target. */
  floor: number;
}

export const DEFAULT_HEALTH_GOAL: HealthGoal = { target: 0.995, floor: 0.98 };

/** Sessions, or users: how many there were, and how many of them crashed. */
export interface HealthTally {
  total: number;
  crashed: number;
}

/**
 * `unknown`: there was no session. `few`: too few to say more than their number. `good`: at the target or above. `below-target`: between
 * floor and target. `below-floor`: below the floor.
 */
export type HealthState = "unknown" | "few" | "good" | "below-target" | "below-floor";

export interface ReleaseHealth {
  /** The share without a crash. Null: there was no session. */
  crashFree: number | null;
  state: HealthState;
  /** The number of crashes that the target allows for this many sessions. */
  allowedCrashes: number;
  /** The share of the budget that is spent: 1 is all of it, 2 twice as much. Null: nothing is allowed, or there was none. */
  spent: number | null;
}

/** The least that a project can want. */
export const MIN_HEALTH_SHARE = 0.5;

/** With fewer sessions, one crash means little. */
export const MIN_JUDGED_SESSIONS = 20;

/** The share without a crash. Null: there was no session. */
function crashFreeShare({ total, crashed }: HealthTally): number | null {
  return total === 0 ? null : Math.max(0, 1 - crashed / total);
}

/** Compares what happened with the goal. Used by pages, and by alerts with a goal of their own. */
export function judgeHealth(tally: HealthTally, { target, floor }: HealthGoal): ReleaseHealth {
  const crashFree = crashFreeShare(tally);
  // Binary fractions: 1 - 0.995 of 1,000 is a little more than 5.
  const allowedCrashes = Math.round((1 - target) * tally.total * 1e6) / 1e6;
  return {
    crashFree,
    allowedCrashes,
    spent: tally.total === 0 || allowedCrashes === 0 ? null : tally.crashed / allowedCrashes,
    state: toState(tally, crashFree, { target, floor }),
  };
}

function toState({ total }: HealthTally, crashFree: number | null, { target, floor }: HealthGoal): HealthState {
  if (crashFree === null) return "unknown";
  if (total < MIN_JUDGED_SESSIONS) return "few";
  if (crashFree >= target - 1e-9) return "good";
  return crashFree >= floor - 1e-9 ? "below-target" : "below-floor";
}

/** The share that one release has of all sessions, or users. Null: there were none. */
export function adoptionShare(ofRelease: number, ofAll: number): number | null {
  return ofAll === 0 ? null : Math.min(1, ofRelease / ofAll);
}

/** Reads a share in percent as people type it, `99.5` or `99.5 %`. `least` is the lowest valid value. Null for any other text. */
export function parseShare(text: string, least = 0): number | null {
  const match = /^(\d{1,3}(?:\.\d{1,3})?)\s*%?$/.exec(text.trim().replace(",", "."));
  const percent = match === null ? Number.NaN : Number(match[1]);
  return percent >= least * 100 && percent <= 100 ? Math.round(percent * 1e3) / 1e5 : null;
}
