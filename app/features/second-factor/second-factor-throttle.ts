import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { AttemptCounter, type AttemptLimit, type CountedAttempt, countAttempt } from "../auth/attempt-counter.ts";

/**
 * Limits of wrong codes. A code is asked for only after the right password, so strangers without it cannot use up these limits. Three in a
 * million codes are valid at a time, so an account's limit of a day allows one guess in 5,000.
 */
const CODE_LIMITS = {
  /** For a browser that has signed in to the account before, and for a person who is signed in. No other limit applies to them. */
  known: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
  accountFromNetwork: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
  account: { maxAttempts: 20, windowMs: HOUR_MS },
  accountInADay: { maxAttempts: 60, windowMs: 24 * HOUR_MS },
  /** Recovery codes have 59 bits. They have a limit of their own, so that they work when the attempts with codes of the app are used up. */
  recovery: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
} as const satisfies Record<string, AttemptLimit>;

/** Who tries a code: a known browser or a session, or a stranger who has the password. */
export type CodeSource = { known: string } | { userId: number; network: string };

export interface SecondFactorThrottle {
  /** Counts an attempt, unless a limit is reached. `refund` takes it back if the code was right. */
  count(kind: "app" | "recovery", source: CodeSource): CountedAttempt;
}

/** @param now milliseconds of a monotonic clock */
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
