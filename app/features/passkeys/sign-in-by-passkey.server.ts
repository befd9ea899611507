import { findPasskeySite } from "../../domain/people/passkey.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { toNetwork } from "../auth/client-network.ts";
import {
  answerAttempt,
  endFirstStep,
  type FinishParts,
  findFirstStep,
  toWhole,
} from "../auth/finish-sign-in.server.ts";
import { type Attempt, makeAttempt } from "../sign-in/attempt.server.ts";
import { askPasskeys } from "./ask-passkeys.server.ts";
import type { PasskeyAsk, PasskeyParts } from "./passkey-ask.ts";
import { readAnswer } from "./read-answer.ts";

/** The limit of wrong answers from one network. They are no guesses, but each costs the check of a signature. */
const FROM_NETWORK = new AttemptCounter({ maxAttempts: 50, windowMs: 10 * MINUTE_MS });

type Parts = FinishParts & PasskeyParts & { settings: { publicUrl: string | null } };

interface Answer {
  /** The answer of the browser's passkey, as JSON. */
  answer: string;
  /** The page to show afterwards. */
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
  /** `account`: the address of the account to which the passkey belongs. */
  | { ok: false; reason: "wrong"; message: string; account: string | null }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number };

/** Signs in with only a passkey. The device has checked who holds it, so no code is needed. */
export async function signInByPasskey(parts: Parts, answer: Answer): Promise<PasskeySignInResult> {
  const { request, isSecure, now } = answer;
  const attempt = makeAttempt({ request, isSecure, now, by: "passkey", isWhole: true });
  return await give(parts, answer, { attempt, person: null });
}

/** Uses a passkey in place of a code, after the password. */
export async function giveCodeByPasskey(parts: Parts, answer: Answer): Promise<PasskeySignInResult> {
  const step = await findFirstStep(parts, answer);
  if (!step) return { ok: false, reason: "gone" };
  const { request, isSecure, now } = answer;
  const attempt = makeAttempt({ request, isSecure, now, ...toWhole(step, "passkey") });
  const given = await give(parts, answer, { attempt, person: { id: step.userId, email: step.email } });
  return given.ok ? { ok: true, response: await endFirstStep(given.response) } : given;
}

async function give(
  parts: Parts,
  { answer, to, origin, clientAddress }: Answer,
  { attempt, person }: { attempt: Attempt; person: PasskeyAsk["person"] },
): Promise<PasskeySignInResult> {
  const at = performance.now();
  const network = toNetwork(clientAddress);
  const retryAfterSeconds = FROM_NETWORK.retryAfterSeconds(network, at);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many-attempts", retryAfterSeconds };
  // Counted before the check, so that answers sent at the same time are all counted.
  FROM_NETWORK.record(network, at);
  const site = findPasskeySite({ publicUrl: parts.settings.publicUrl, origin });
  if (!site.ok) return wrong(site.reason);
  const response = readAnswer(answer);
  if (!response) return wrong("Your browser sent no passkey.");
  const { outcome, owner } = await askPasskeys(parts, { attempt, site, person }, (api) =>
    api.verifyPasskeyAuthentication({ body: { response } }),
  );
  if (outcome.kind === "refused") {
    const user = owner === null ? null : await parts.people.getUser(owner);
    return wrong(explain(outcome.code, attempt.fault), user?.email ?? null);
  }
  FROM_NETWORK.refund(network);
  return { ok: true, response: await answerAttempt(parts, to, { attempt, outcome }) };
}

/** Messages by the plugin's names of reasons, and by those of `createCeremony`. */
const REASONS: Record<string, string> = {
  CHALLENGE_NOT_FOUND: "This took too long, or began in another browser. Try again.",
  PASSKEY_NOT_FOUND: "This passkey is not known here. It may have been removed. Sign in another way.",
  PASSKEY_OF_ANOTHER: "This passkey is of another account.",
  USER_NOT_VERIFIED:
    "Your device did not ask who you are. Set a PIN or a fingerprint for it, or sign in with your password.",
  ANSWER_WAS_USED: "This answer was used. Try again.",
};

function explain(code: string, fault: unknown): string {
  if (fault instanceof Error && /counter/i.test(fault.message))
    return "This passkey was used elsewhere, so it may have been copied. Sign in with your password, and remove it.";
  return REASONS[code] ?? "The passkey was not accepted. Try again.";
}

function wrong(message: string, account: string | null = null): PasskeySignInResult {
  return { ok: false, reason: "wrong", message, account };
}
