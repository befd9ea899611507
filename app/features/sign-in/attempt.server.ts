import { AsyncLocalStorage } from "node:async_hooks";
import type { HashLane } from "../../domain/people/password-hasher.ts";

/** One request that wants in. Hooks of better-auth read here what the library does not hand them, and leave what came of it. */
export interface Attempt {
  readonly request: Request;
  readonly isSecure: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How, as the audit log says it, like `password`. */
  readonly by: string;
  /** Whether it is as good as two factors: nothing else is asked for. */
  readonly isWhole: boolean;
  /** The queue in which its password waits to be hashed. */
  readonly lane: HashLane;
  /** Of a sign-in by a provider; null: by something of Culprit's own. */
  readonly providerId: number | null;
  /** For asking that provider again; null: it gave none. */
  readonly renewalToken: string | null;
  /** `Set-Cookie` headers for the answer. */
  readonly setCookies: string[];
  /** Of the link for a new password by which somebody came; null: by none. */
  readonly resetToken: string | null;
  /** The session that it began; null: none so far. */
  begun: { userId: number; token: string } | null;
}

/** What there is to say of an attempt. Absent: null, false, the queue of strangers. */
export type NewAttempt = Pick<Attempt, "request" | "isSecure" | "now" | "by"> &
  Partial<Pick<Attempt, "isWhole" | "lane" | "providerId" | "renewalToken" | "resetToken">>;

export function makeAttempt(attempt: NewAttempt): Attempt {
  return {
    isWhole: false,
    lane: "strangers",
    providerId: null,
    renewalToken: null,
    resetToken: null,
    ...attempt,
    setCookies: [],
    begun: null,
  };
}

const attempts = new AsyncLocalStorage<Attempt>();

/** Runs `work`, so that hooks below it find the attempt. */
export function runAttempt<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
  return attempts.run(attempt, work);
}

/** @throws outside of `runAttempt`: nobody signs in by the library alone. */
export function currentAttempt(): Attempt {
  const attempt = attempts.getStore();
  if (!attempt) throw new Error("better-auth was asked outside of an attempt");
  return attempt;
}
