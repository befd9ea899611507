import { MINUTE_MS } from "../../domain/time.ts";
import { AttemptCounter, type AttemptLimit, type CountedAttempt, countAttempt, findWait } from "./attempt-counter.ts";

/** Wrong passwords that may be tried. Decision 008 says what each limit protects. */
export const SIGN_IN_LIMITS = {
  /** For a browser that has signed in to the account before. No other limit applies to it. */
  browser: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
  /** For one account from one network: a stranger cannot use up an account's limit for everybody else. */
  accountFromNetwork: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
  /** For one network and all accounts together. */
  network: { maxAttempts: 50, windowMs: 10 * MINUTE_MS },
  /** For one account from everywhere: a person with many addresses gets 2,400 guesses a day. */
  account: { maxAttempts: 100, windowMs: 60 * MINUTE_MS },
} as const satisfies Record<string, AttemptLimit>;

/** The sender: a browser that the account knows (by the hash of its token), or a stranger. */
export type SignInSource = { browser: string } | { account: string; network: string };

export interface SignInThrottle {
  /**
   * Counts an attempt, unless a limit is reached. `refund` removes it again: the password was correct, or the attempt told the
   * sender nothing.
   */
  count(source: SignInSource): CountedAttempt;
  /** Seconds until `count` would allow an attempt. 0: now. */
  retryAfterSeconds(source: SignInSource): number;
}

/**
 * A throttle in memory. A restart forgets its counts, but strangers cannot cause one. `now`: milliseconds of a clock that never
 * goes back.
 */
export function createSignInThrottle(now: () => number = () => performance.now()): SignInThrottle {
  const browser = new AttemptCounter(SIGN_IN_LIMITS.browser);
  const accountFromNetwork = new AttemptCounter(SIGN_IN_LIMITS.accountFromNetwork);
  const network = new AttemptCounter(SIGN_IN_LIMITS.network);
  const account = new AttemptCounter(SIGN_IN_LIMITS.account);

  const toCounted = (source: SignInSource): Array<[AttemptCounter, string]> =>
    "browser" in source
      ? [[browser, source.browser]]
      : [
          [accountFromNetwork, `${source.network} ${source.account}`],
          [network, source.network],
          [account, source.account],
        ];
  return {
    count: (source) => countAttempt(toCounted(source), now()),
    retryAfterSeconds: (source) => findWait(toCounted(source), now()),
  };
}
