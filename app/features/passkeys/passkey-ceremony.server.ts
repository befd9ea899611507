import { randomBytes } from "node:crypto";
import { z } from "zod";
import { findPasskeySite, type PasskeySite } from "../../domain/people/passkey.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { PasskeyStore } from "../../stores/state/passkey-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { toNetwork } from "../auth/client-network.ts";
import { createSealedCookie } from "../auth/sealed-cookie.server.ts";

/** Loaded with the first passkey. */
export const loadWebAuthn = () => import("@simplewebauthn/server");

/** `sign-in`: without anything else. `code`: after the password, in place of a code. `add`: somebody who is signed in adds one. */
export type PasskeyPurpose = "sign-in" | "code" | "add";

/** Long enough to find one's key, also for the browser's own suggestions in the field of the address. */
const CEREMONY_MS = 10 * MINUTE_MS;
const CHALLENGE_BYTES = 32;
/** Characters. An answer has some 2,000. */
const MAX_ANSWER = 12_000;

/** What the browser has to bring back with the answer. So a challenge is of use in the browser that asked for it alone. */
export const passkeyStep = createSealedCookie(
  "culprit_passkey",
  z.object({
    purpose: z.enum(["sign-in", "code", "add"]),
    challenge: z.string(),
    /** Whose it must be; null: anybody's. */
    userId: z.number().nullable(),
    /** Of a new passkey; null: it is none. */
    userHandle: z.string().nullable(),
  }),
  { maxAgeMs: CEREMONY_MS },
);

export type PasskeyStep = NonNullable<Awaited<ReturnType<typeof passkeyStep.open>>>;

export function makeChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString("base64url");
}

/** Wrong answers of one network. There is nothing to guess in them; each costs the check of a signature. */
const FROM_NETWORK = new AttemptCounter({ maxAttempts: 50, windowMs: 10 * MINUTE_MS });

/** Challenges that were answered rightly, until they are over. A right answer needs a passkey, so nobody fills this. */
const answered = new Map<string, number>();
const MAX_ANSWERED = 10_000;

/** False: the challenge was answered before. */
function takeChallenge(challenge: string, now: number): boolean {
  for (const [known, until] of answered) {
    if (until > now && answered.size < MAX_ANSWERED) break;
    answered.delete(known);
  }
  if (answered.has(challenge)) return false;
  answered.set(challenge, now + CEREMONY_MS);
  return true;
}

const text = z.string().max(MAX_ANSWER);
const answerSchema = z.object({
  id: text,
  rawId: text,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).catch({}),
});
const signatureSchema = answerSchema.extend({
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.optional(),
  }),
});
const registrationSchema = answerSchema.extend({
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

/** Null: it is no answer of a browser. */
export const readSignature = (answer: string) => parse(signatureSchema, answer);
export const readRegistration = (answer: string) => parse(registrationSchema, answer);

function parse<Schema extends z.ZodType>(schema: Schema, answer: string): z.infer<Schema> | null {
  if (answer.length > MAX_ANSWER) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(answer));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export type CheckPasskeyResult =
  | { ok: true; userId: number }
  /** `userId`: whose passkey it would have been. */
  | { ok: false; reason: "wrong"; message: string; userId: number | null }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number };

interface Check {
  answer: string;
  purpose: "sign-in" | "code";
  /** Whose it must be; null: anybody's. */
  userId: number | null;
  clientAddress: string | null;
  origin: string;
  request: Request;
  now: number;
}

/** Uses up a challenge with the answer of somebody's passkey. */
export async function checkPasskey(
  { passkeys, settings }: { passkeys: PasskeyStore; settings: { publicUrl: string | null } },
  check: Check,
): Promise<CheckPasskeyResult> {
  const at = performance.now();
  const network = toNetwork(check.clientAddress);
  const retryAfterSeconds = FROM_NETWORK.retryAfterSeconds(network, at);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many-attempts", retryAfterSeconds };
  // Counted before the check, so that answers sent side by side are all counted.
  FROM_NETWORK.record(network, at);
  const step = await passkeyStep.open(check.request, check.now);
  if (!step || step.purpose !== check.purpose || step.userId !== check.userId)
    return wrong("This took too long, or began in another browser. Try again.");
  const site = findPasskeySite({ publicUrl: settings.publicUrl, origin: check.origin });
  if (!site.ok) return wrong(site.reason);
  const result = await verify(passkeys, check, step, site);
  if (result.ok) FROM_NETWORK.refund(network);
  return result;
}

async function verify(
  passkeys: PasskeyStore,
  { answer, purpose, userId, now }: Check,
  { challenge }: PasskeyStep,
  site: PasskeySite & { ok: true },
): Promise<CheckPasskeyResult> {
  const response = readSignature(answer);
  if (!response) return wrong("Your browser sent no passkey.");
  const passkey = await passkeys.findPasskey(response.id);
  if (!passkey || passkey.site !== site.host || (userId !== null && passkey.userId !== userId))
    return wrong("This passkey is not known here. It may have been removed.");
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== passkey.userHandle)
    return wrong("This passkey is of another account.", passkey.userId);
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { credentialId: id, publicKey, counter, transports } = passkey;
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: { id, publicKey, counter, transports },
    // A passkey alone stands for a password and a code, so the device has to check who holds it.
    requireUserVerification: purpose === "sign-in",
  }).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
  if (verified instanceof Error || !verified.verified) return wrong(explain(verified), passkey.userId);
  if (!takeChallenge(challenge, now)) return wrong("This answer was used. Try again.", passkey.userId);
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  const use = { passkeyId: passkey.id, counter, nextCounter: newCounter, isBackedUp: credentialBackedUp, at: now };
  if (!(await passkeys.notePasskeyUse(use))) return wrong("This answer was used. Try again.", passkey.userId);
  return { ok: true, userId: passkey.userId };
}

function explain(failure: Error | { verified: boolean }): string {
  const message = failure instanceof Error ? failure.message : "";
  if (/user verification/i.test(message))
    return "Your device did not ask who you are. Set a PIN or a fingerprint for it, or sign in with your password.";
  if (/counter/i.test(message))
    return "This passkey was used elsewhere, so it may have been copied. Sign in with your password, and remove it.";
  return "The passkey was not accepted. Try again.";
}

function wrong(message: string, userId: number | null = null): CheckPasskeyResult {
  return { ok: false, reason: "wrong", message, userId };
}

/** A name for the account towards browsers that says nothing of the person. */
export function makeUserHandle(): string {
  return randomBytes(CHALLENGE_BYTES).toString("base64url");
}
