import type { HasherBusy, PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { AttemptCounter } from "./attempt-counter.ts";
import { MAX_PASSWORD_LENGTH } from "./credential-limits.ts";
import { DECOY_HASH } from "./password.server.ts";
import { SIGN_IN_LIMITS } from "./sign-in-throttle.ts";

export type ConfirmPasswordResult =
  /** `passwordHash`: the hash that it was compared with. */
  | { ok: true; passwordHash: string }
  | { ok: false; reason: "wrong" }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number }
  | HasherBusy;

/** The same limit as a known browser has at sign-in: somebody may have found a browser that is signed in. */
const attempts = new AttemptCounter(SIGN_IN_LIMITS.browser);

/** Whether the password is that of the signed-in person. @throws the signal's reason if the sender leaves the queue. */
export async function confirmPassword(
  { people, passwords }: { people: PeopleStore; passwords: PasswordHasher },
  { viewer, password, signal }: { viewer: User; password: string; signal: AbortSignal },
): Promise<ConfirmPasswordResult> {
  const credentials = await people.findCredentials(viewer.email);
  if (!credentials || password.length > MAX_PASSWORD_LENGTH) return { ok: false, reason: "wrong" };
  const key = String(viewer.id);
  const now = performance.now();
  const retryAfterSeconds = attempts.retryAfterSeconds(key, now);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many-attempts", retryAfterSeconds };
  // Counted before the slow check, so that attempts in parallel are all counted.
  attempts.record(key, now);
  let isWrong = false;
  try {
    const check = await passwords.verify(password, credentials.passwordHash, { lane: "known", signal });
    if (!check.ok) return check;
    const { passwordHash } = credentials;
    isWrong = !check.isRight || !(await isStillPassword(people, viewer, passwordHash));
    return isWrong ? { ok: false, reason: "wrong" } : { ok: true, passwordHash };
  } finally {
    if (!isWrong) attempts.refund(key);
  }
}

/**
 * Whether the password is still the one that was checked. A hash may wait seconds for its turn. Meanwhile the password may have
 * been changed because a stranger knew it.
 */
export async function isStillPassword(
  people: Pick<PeopleStore, "findCredentials">,
  viewer: User,
  passwordHash: string,
): Promise<boolean> {
  return (await people.findCredentials(viewer.email))?.passwordHash === passwordHash;
}

/** Whether the account has a password. False for an account that a provider made, until its person sets a password. */
export async function hasPassword(people: Pick<PeopleStore, "findCredentials">, viewer: User): Promise<boolean> {
  const credentials = await people.findCredentials(viewer.email);
  return credentials !== null && credentials.passwordHash !== DECOY_HASH;
}
