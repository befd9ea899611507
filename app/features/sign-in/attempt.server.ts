import { AsyncLocalStorage } from "node:async_hooks";
import type { HashLane } from "../../domain/people/password-hasher.ts";
import type { SignInSecrets } from "../../domain/people/provider-client.ts";

/** The name by which better-auth knows whichever provider an attempt is about. */
export const PROVIDER = "provider";

/** Whom an answer of a provider makes somebody here. */
export interface Identified {
  userId: number;
  /** What the provider calls them. */
  subject: string;
}

/** What a sign-in at a provider needs beyond better-auth: how the provider is asked, and what its answer means here. */
export interface ProviderErrand {
  /** Where the browser goes. */
  toUrl(secrets: SignInSecrets): Promise<URL>;
  /** `note`: what was noted when the browser went. @throws what ends the sign-in. */
  identify(secrets: Omit<SignInSecrets, "state">, note: string): Promise<Identified>;
}

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
  renewalToken: string | null;
  /** What is to be done at that provider; null: nothing. */
  readonly errand: ProviderErrand | null;
  /** The fault that better-auth met and did not throw; null: none. */
  fault: unknown;
  /** Who came back from it; null: nobody so far. */
  identified: Identified | null;
  /** `Set-Cookie` headers for the answer. */
  readonly setCookies: string[];
  /** Of the link for a new password by which somebody came; null: by none. */
  readonly resetToken: string | null;
  /** The hash of the password that was found right; null: none was. */
  passwordHash: string | null;
  /** The session that it began; null: none so far. */
  begun: { userId: number; token: string } | null;
}

/** What there is to say of an attempt. Absent: null, false, the queue of strangers. */
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

/** Runs `work`, so that hooks below it find the attempt. */
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
