import type { HasherBusy, PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { askAuth } from "../sign-in/ask-auth.server.ts";
import { makeAttempt } from "../sign-in/attempt.server.ts";
import { toNetwork } from "./client-network.ts";
import { LONG_EMAIL, LONG_PASSWORD, MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from "./credential-limits.ts";
import { answerAttempt, type FinishParts } from "./finish-sign-in.server.ts";
import { findKnownBrowser } from "./known-browser.server.ts";
import type { SignInSource, SignInThrottle } from "./sign-in-throttle.ts";

export type SignInResult =
  /** Signed in, or redirected to the next step. */
  | { ok: true; response: Response }
  | { ok: false; reason: "too-long"; message: string }
  /** `account`: the address, if a member has it. */
  | { ok: false; reason: "wrong-credentials"; account: string | null }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number }
  | HasherBusy;

export interface SignInAttempt {
  email: string;
  password: string;
  /** Needed for the cookie of a known browser, and for its signal: a sender that leaves gives up its place in the queue. */
  request: Request;
  clientAddress: string | null;
  now: number;
}

interface Parts {
  people: Pick<PeopleStore, "findCredentials" | "isKnownBrowser">;
  passwords: Pick<PasswordHasher, "findBusy">;
  throttle: SignInThrottle;
}

/** The address in the form by which accounts are found. */
function toAccount(email: string): string {
  return email.trim().toLowerCase();
}

/** The sender in the form that limits use, and the member with this address. Null: there is no such member. */
async function findSender(
  { people }: Pick<Parts, "people">,
  { email, request, clientAddress, now }: Omit<SignInAttempt, "password">,
) {
  const account = toAccount(email);
  const credentials = await people.findCredentials(account);
  const browser = credentials && (await findKnownBrowser(people, { userId: credentials.userId, request, now }));
  const source: SignInSource = browser ? { browser } : { account, network: toNetwork(clientAddress) };
  return { account, credentials, source, lane: browser ? ("known" as const) : ("strangers" as const) };
}

/**
 * The refusal that `signIn` would give whatever the password is. It counts nothing and waits for nothing. Null: `signIn` would
 * check the password.
 */
export async function findRefusal(
  { people, passwords, throttle }: Parts,
  attempt: Omit<SignInAttempt, "password">,
): Promise<Extract<SignInResult, { reason: "too-many-attempts" | "busy" }> | null> {
  if (attempt.email.length > MAX_EMAIL_LENGTH) return null;
  const { source, lane } = await findSender({ people }, attempt);
  const retryAfterSeconds = throttle.retryAfterSeconds(source);
  return retryAfterSeconds > 0
    ? { ok: false, reason: "too-many-attempts", retryAfterSeconds }
    : passwords.findBusy(lane);
}

/**
 * Signs in with a password, and continues at `to`. It takes as long for an unknown address as for a wrong password, so that
 * addresses cannot be found out.
 * @throws the reason of the request's signal if the sender left while it waited for its turn
 */
export async function signIn(
  parts: FinishParts & { throttle: SignInThrottle },
  to: string,
  { email, password, request, clientAddress, isSecure, now }: SignInAttempt & { isSecure: boolean },
): Promise<SignInResult> {
  // Small letters may be longer than capital ones. better-auth, which gets the small ones, checks the length, too.
  if (Math.max(email.length, toAccount(email).length) > MAX_EMAIL_LENGTH)
    return { ok: false, reason: "too-long", message: LONG_EMAIL };
  if (password.length > MAX_PASSWORD_LENGTH) return { ok: false, reason: "too-long", message: LONG_PASSWORD };
  const { account, credentials, source, lane } = await findSender(parts, { email, request, clientAddress, now });
  // Counted before the slow check, so that attempts in parallel are all counted.
  const counted = parts.throttle.count(source);
  if (!counted.ok) return { ok: false, reason: "too-many-attempts", retryAfterSeconds: counted.retryAfterSeconds };
  const attempt = makeAttempt({ request, isSecure, now, by: "password", lane });
  const outcome = await askAuth(parts, attempt, (api) =>
    api.signInUsername({ body: { username: account, password } }),
  ).catch((error: unknown) => {
    counted.refund();
    throw error;
  });
  const isWrong = outcome.kind === "refused" && outcome.code === "INVALID_USERNAME_OR_PASSWORD";
  if (isWrong || (outcome.kind === "delayed" && outcome.delay.reason === "password-changed"))
    return { ok: false, reason: "wrong-credentials", account: credentials && account };
  counted.refund();
  if (outcome.kind === "busy") return outcome.busy;
  return { ok: true, response: await answerAttempt(parts, to, { attempt, outcome }) };
}
