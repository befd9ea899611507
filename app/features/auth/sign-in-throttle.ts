/** Attempts that an account may fail in a window before it has to wait. */
const MAX_ATTEMPTS = 10;
const WINDOW_MS = 10 * 60 * 1000;
/** Accounts remembered at once; the oldest are forgotten first, so that made-up addresses cannot fill memory. */
const MAX_ACCOUNTS = 10_000;

export interface SignInThrottle {
  /** 0 when an attempt is allowed now. */
  retryAfterSeconds(account: string, now: number): number;
  recordAttempt(account: string, now: number): void;
  forget(account: string): void;
}

/** Slows guessing per account, in memory: a restart forgets, which costs an attacker nothing he could use. */
export function createSignInThrottle(): SignInThrottle {
  const accounts = new Map<string, { count: number; startedAt: number }>();
  return {
    retryAfterSeconds(account, now) {
      const attempts = accounts.get(account);
      if (!attempts || attempts.count < MAX_ATTEMPTS) return 0;
      return Math.max(0, Math.ceil((attempts.startedAt + WINDOW_MS - now) / 1000));
    },
    recordAttempt(account, now) {
      const attempts = accounts.get(account);
      if (attempts && now - attempts.startedAt < WINDOW_MS) {
        attempts.count += 1;
        return;
      }
      accounts.delete(account);
      accounts.set(account, { count: 1, startedAt: now });
      if (accounts.size > MAX_ACCOUNTS) accounts.delete(accounts.keys().next().value as string);
    },
    forget(account) {
      accounts.delete(account);
    },
  };
}
