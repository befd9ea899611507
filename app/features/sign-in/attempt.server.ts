import { AsyncLocalStorage } from "node:async_hooks";
import type { HashLane } from "../../domain/people/password-hasher.ts";
import type { SignInSecrets } from "../../domain/people/provider-client.ts";

/** The name of any attempt's provider in better-auth. */
export const PROVIDER = "provider";

/** The person here to whom a provider's answer belongs. */
export interface Identified {
  userId: number;
  /** The provider's own id of the person. */
  subject: string;
}

/** What a sign-in at a provider needs besides better-auth: how to ask the provider, and what its answer means here. */
export interface ProviderErrand {
  /** The address to which the browser is sent. */
  toUrl(secrets: SignInSecrets): Promise<URL>;
  /**
   * `note`: the text that was kept when the browser was sent there.
   * @throws what ends the sign-in
   */
  identify(secrets: Omit<SignInSecrets, "state">, note: string): Promise<Identified>;
}

/** One request that wants to sign in. Hooks of better-auth read from it what the library does not pass to them, and write their results to it. */
export interface Attempt {
  readonly request: Request;
  readonly isSecure: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The way of signing in for the audit log, like `password`. */
  readonly by: string;
  /** True if this way is as good as two factors, so that nothing else is asked for. */
  readonly isWhole: boolean;
  /** The queue in which its password waits to be hashed. */
  readonly lane: HashLane;
  /** The provider of the sign-in. Null: it is Culprit's own. */
  readonly providerId: number | null;
  /** The token with which that provider is asked again. Null: it gave none. */
  renewalToken: string | null;
  /** What has to be done at that provider. Null: nothing. */
  readonly errand: ProviderErrand | null;
  /** The fault that better-auth met and did not throw; null: none. */
  fault: unknown;
  /** The person who came back from the provider. Null: nobody so far. */
  identified: Identified | null;
  /** `Set-Cookie` headers for the answer. */
  readonly setCookies: string[];
  /** The token of the link for a new password by which the person came. Null: they came by none. */
  readonly resetToken: string | null;
  /** The hash of the password that was found right. Null: none was. */
  passwordHash: string | null;
  /** The session that the attempt began. Null: none so far. */
  begun: { userId: number; token: string } | null;
}

/** The fields with which an attempt begins. Absent ones are null, false, or the queue of strangers. */
export type NewAttempt = Pick<Attempt, "request" | "isSecure" | "now" | "by"> &
  Partial<Pick<Attempt, "isWhole" | "lane" | "providerId" | "renewalToken" | "errand" | "resetToken">>;

export function makeAttempt(attempt: NewAttempt): Attempt {
  return {
    isWhole: false,
    lane: "strangers",
    providerId: null,
    renewalToken: null,
    errand: null,
    resetToken: null,
    ...attempt,
    setCookies: [],
    fault: null,
    identified: null,
    passwordHash: null,
    begun: null,
  };
}

const attempts = new AsyncLocalStorage<Attempt>();

/** Runs `work`, in which hooks find the attempt. */
export function runAttempt<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
  return attempts.run(attempt, work);
}

/** Null outside of `runAttempt`. */
export function findAttempt(): Attempt | null {
  return attempts.getStore() ?? null;
}

/** @throws outside of `runAttempt`: nobody signs in by the library alone. */
export function currentAttempt(): Attempt {
  const attempt = findAttempt();
  if (!attempt) throw new Error("better-auth was asked outside of an attempt");
  return attempt;
}
