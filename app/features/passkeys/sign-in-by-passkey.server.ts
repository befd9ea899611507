import type { PasskeyStore } from "../../stores/state/passkey-store.ts";
import { findFirstStep, finishFirstStep, finishSignIn } from "../auth/finish-sign-in.server.ts";
import { checkPasskey, passkeyStep } from "./passkey-ceremony.server.ts";

type Parts = Parameters<typeof finishSignIn>[0] & {
  passkeys: PasskeyStore;
  settings: { publicUrl: string | null };
};

interface Answer {
  /** What the browser's passkey answered, as JSON. */
  answer: string;
  /** Where to go afterwards. */
  to: string;
  request: Request;
  origin: string;
  clientAddress: string | null;
  isSecure: boolean;
  now: number;
}

export type PasskeySignInResult =
  | { ok: true; response: Response }
  /** The password was not given, or too long ago. */
  | { ok: false; reason: "gone" }
  /** `account`: the address of whose passkey it would have been. */
  | { ok: false; reason: "wrong"; message: string; account: string | null }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number };

/** Signs in with a passkey alone. The device has asked who holds it, so no code is asked for. */
export async function signInByPasskey(parts: Parts, answer: Answer): Promise<PasskeySignInResult> {
  const checked = await check(parts, answer, { purpose: "sign-in", userId: null });
  if (!checked.ok) return checked;
  const { userId } = checked;
  const response = await finishSignIn(parts, answer.to, { ...answer, userId, by: "passkey", isWhole: true });
  return { ok: true, response: await forgetStep(response) };
}

/** The second step after a password, in place of a code. */
export async function giveCodeByPasskey(parts: Parts, answer: Answer): Promise<PasskeySignInResult> {
  const step = await findFirstStep(parts, answer);
  if (!step) return { ok: false, reason: "gone" };
  const checked = await check(parts, answer, { purpose: "code", userId: step.userId });
  if (!checked.ok) return checked;
  const response = await finishFirstStep(parts, answer.to, { ...answer, step, by: "passkey" });
  return { ok: true, response: await forgetStep(response) };
}

async function check(
  parts: Parts,
  answer: Answer,
  asked: { purpose: "sign-in" | "code"; userId: number | null },
): Promise<{ ok: true; userId: number } | (PasskeySignInResult & { ok: false })> {
  const checked = await checkPasskey(parts, { ...answer, ...asked });
  if (checked.ok || checked.reason !== "wrong") return checked;
  const user = checked.userId === null ? null : await parts.people.getUser(checked.userId);
  return { ok: false, reason: "wrong", message: checked.message, account: user?.email ?? null };
}

async function forgetStep(response: Response): Promise<Response> {
  response.headers.append("set-cookie", await passkeyStep.forget());
  return response;
}
