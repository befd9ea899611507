import type { HasherBusy, PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { AttemptCounter } from "./attempt-counter.ts";
import { MAX_PASSWORD_LENGTH } from "./credential-limits.ts";
import { DECOY_HASH } from "./password.server.ts";
import { SIGN_IN_LIMITS } from "./sign-in-throttle.ts";

export type ConfirmPasswordResult =
  /** `passwordHash`: what it was compared with. */
  | { ok: true; passwordHash: string }
  | { ok: false; reason: "wrong" }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number }
  | HasherBusy;

/** As many as a known browser has at the door: somebody may have found a browser that is signed in. */
const attempts = new AttemptCounter(SIGN_IN_LIMITS.browser);

/** Whether it is the password of somebody who is signed in. @throws the signal's reason when the sender leaves the queue. */
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
  // Counted before the slow check, so that attempts sent side by side are all counted.
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

/** A hash waits seconds for its turn. Meanwhile somebody may have changed the password, because a stranger knew it. */
export async function isStillPassword(
  people: Pick<PeopleStore, "findCredentials">,
  viewer: User,
  passwordHash: string,
): Promise<boolean> {
  return (await people.findCredentials(viewer.email))?.passwordHash === passwordHash;
}

/** False for an account that a provider made, until its person sets a password. */
export async function hasPassword(people: Pick<PeopleStore, "findCredentials">, viewer: User): Promise<boolean> {
  const credentials = await people.findCredentials(viewer.email);
  return credentials !== null && credentials.passwordHash !== DECOY_HASH;
}
