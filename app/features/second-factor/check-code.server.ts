import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";
import { hashRecoveryCode } from "./recovery-codes.server.ts";
import { type CodeSource, createSecondFactorThrottle } from "./second-factor-throttle.ts";
import { findStep, readCode } from "./totp.server.ts";

/** Shared by sign-in and settings: a second place for codes must not double the attempts. */
const throttle = createSecondFactorThrottle();

export type CheckCodeResult =
  | { ok: true; usedRecoveryCode: boolean }
  | { ok: false; reason: "wrong"; message: string }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number };

/**
 * Checks and uses up a code of the person's app, or one of their recovery codes. Each works once. An account without a second factor has no
 * valid code.
 */
export async function checkCode(
  secondFactors: Pick<SecondFactorStore, "getSecondFactor" | "takeStep" | "takeRecoveryCode">,
  { userId, text, source, now }: { userId: number; text: string; source: CodeSource; now: number },
): Promise<CheckCodeResult> {
  if (text.trim() === "") return { ok: false, reason: "wrong", message: "Enter the code." };
  const code = readCode(text);
  // Counted before the check, so that parallel attempts all count.
  const attempt = throttle.count(code === null ? "recovery" : "app", source);
  if (!attempt.ok) return { ok: false, reason: "too-many-attempts", retryAfterSeconds: attempt.retryAfterSeconds };
  if (code === null) {
    if (await secondFactors.takeRecoveryCode({ userId, codeHash: hashRecoveryCode(userId, text) })) {
      attempt.refund();
      return { ok: true, usedRecoveryCode: true };
    }
    return { ok: false, reason: "wrong", message: "This is no code of your app, and no recovery code that is left." };
  }
  const factor = await secondFactors.getSecondFactor(userId);
  const step = factor && factor.confirmedAt !== null ? await findStep(factor.secret, code, now) : null;
  if (step === null)
    return { ok: false, reason: "wrong", message: "The code is wrong. Check that the clock of your phone is right." };
  if (!(await secondFactors.takeStep({ userId, step })))
    return { ok: false, reason: "wrong", message: "This code was used. Wait for the next one." };
  attempt.refund();
  return { ok: true, usedRecoveryCode: false };
}
