import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { AttemptCounter, type AttemptLimit, type CountedAttempt, countAttempt } from "../auth/attempt-counter.ts";

/**
 * Wrong codes that may be tried. Whoever is asked for one has given the right password already: strangers without it reach none of these
 * limits. Three codes in a million are right at a time, so the day of an account allows one guess in 5,000.
 */
const CODE_LIMITS = {
  /** By a browser that has signed in to the account before, and by somebody who is signed in; nothing else counts for them. */
  known: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
  accountFromNetwork: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
  account: { maxAttempts: 20, windowMs: HOUR_MS },
  accountInADay: { maxAttempts: 60, windowMs: 24 * HOUR_MS },
  /** Recovery codes have 59 bits, and a limit of their own: they work when somebody has used up the codes of the app. */
  recovery: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
} as const satisfies Record<string, AttemptLimit>;

/** Who tries a code: somebody with a known browser or a session, or a stranger who has the password. */
export type CodeSource = { known: string } | { userId: number; network: string };

export interface SecondFactorThrottle {
  /** Counts a try, unless a limit is reached. `refund` takes it back: the code was right. */
  count(kind: "app" | "recovery", source: CodeSource): CountedAttempt;
}

/** `now`: milliseconds of a clock that never goes back. */
export function createSecondFactorThrottle(now: () => number = () => performance.now()): SecondFactorThrottle {
  const known = new AttemptCounter(CODE_LIMITS.known);
  const accountFromNetwork = new AttemptCounter(CODE_LIMITS.accountFromNetwork);
  const account = new AttemptCounter(CODE_LIMITS.account);
  const accountInADay = new AttemptCounter(CODE_LIMITS.accountInADay);
  const recovery = new AttemptCounter(CODE_LIMITS.recovery);

  const listCounters = (kind: "app" | "recovery", source: CodeSource): Array<[AttemptCounter, string]> => {
    if ("known" in source) return [[kind === "app" ? known : recovery, source.known]];
    const fromNetwork = `${source.network} ${source.userId}`;
    if (kind === "recovery") return [[recovery, fromNetwork]];
    const all = String(source.userId);
    return [
      [accountFromNetwork, fromNetwork],
      [account, all],
      [accountInADay, all],
    ];
  };

  return {
    count(kind, source) {
      return countAttempt(listCounters(kind, source), now());
    },
  };
}
