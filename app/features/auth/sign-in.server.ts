import type { State } from "../../stores/state/state.ts";
import { hashPassword, MAX_PASSWORD_LENGTH, verifyPassword } from "./password.server.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export type SignInResult =
  | { ok: true; userId: number }
  | { ok: false; reason: "wrong-credentials" }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number };

let decoy: Promise<string> | undefined;

/** Takes as long for an unknown address as for a wrong password, so that addresses cannot be found out. */
export async function signIn(
  state: State,
  throttle: SignInThrottle,
  { email, password, now }: { email: string; password: string; now: number },
): Promise<SignInResult> {
  const account = email.trim().toLowerCase();
  const retryAfterSeconds = throttle.retryAfterSeconds(account, now);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many-attempts", retryAfterSeconds };
  if (password.length > MAX_PASSWORD_LENGTH) return { ok: false, reason: "wrong-credentials" };
  // Counted before the slow check, so that attempts sent side by side are all counted.
  throttle.recordAttempt(account, now);
  const credentials = await state.people.findCredentials(account);
  if (!credentials) decoy ??= hashPassword("nobody has this password");
  const isRight = await verifyPassword(password, credentials?.passwordHash ?? (await decoy) ?? "");
  if (!credentials || !isRight) return { ok: false, reason: "wrong-credentials" };
  throttle.forget(account);
  return { ok: true, userId: credentials.userId };
}
