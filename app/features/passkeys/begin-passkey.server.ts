import { findPasskeySite } from "../../domain/people/passkey.ts";
import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { PasskeyStore } from "../../stores/state/passkey-store.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { toNetwork } from "../auth/client-network.ts";
import { confirmPassword, hasPassword } from "../auth/confirm-password.server.ts";
import { BUSY_MESSAGE } from "../auth/credential-limits.ts";
import { findFirstStep } from "../auth/finish-sign-in.server.ts";
import { toWaitMessage } from "../auth/wait-message.ts";
import {
  loadWebAuthn,
  makeChallenge,
  makeUserHandle,
  type PasskeyPurpose,
  passkeyStep,
} from "./passkey-ceremony.server.ts";

/** Challenges for one network. The server keeps nothing of them. */
const BEGUN_FROM_NETWORK = new AttemptCounter({ maxAttempts: 120, windowMs: 10 * MINUTE_MS });
/** How long the browser asks for the device. */
const TIMEOUT_MS = 5 * MINUTE_MS;

interface Parts {
  people: PeopleStore;
  passwords: PasswordHasher;
  passkeys: PasskeyStore;
  settings: { publicUrl: string | null };
}

interface Begin {
  viewer: User | null;
  form: FormData;
  request: Request;
  origin: string;
  clientAddress: string | null;
  isSecure: boolean;
  now: number;
}

export type BeginPasskeyResult =
  /** `options`: for the browser's part of it. */
  | { ok: true; options: object; cookie: string }
  | { ok: false; status: 400 | 401 | 409 | 429; field: string | null; message: string; retryAfter: number | null };

/** Begins what the form's `purpose` says: gives the browser a challenge, and what a passkey must be. */
export async function beginPasskey(parts: Parts, begin: Begin): Promise<BeginPasskeyResult> {
  const site = findPasskeySite({ publicUrl: parts.settings.publicUrl, origin: begin.origin });
  if (!site.ok) return refused(409, site.reason);
  const at = performance.now();
  const network = toNetwork(begin.clientAddress);
  const retryAfter = BEGUN_FROM_NETWORK.retryAfterSeconds(network, at);
  if (retryAfter > 0) return { ...refused(429, toWaitMessage(retryAfter)), retryAfter };
  BEGUN_FROM_NETWORK.record(network, at);
  switch (begin.form.get("purpose")) {
    case "sign-in":
      return await ask(parts, begin, { purpose: "sign-in", host: site.host, userId: null });
    case "code": {
      const step = await findFirstStep(parts, begin);
      if (!step) return refused(401, "Give your password first.");
      return await ask(parts, begin, { purpose: "code", host: site.host, userId: step.userId });
    }
    case "add":
      return await beginAdding(parts, begin, site.host);
    default:
      return refused(400, "purpose must be sign-in, code or add.");
  }
}

async function ask(
  { passkeys }: Parts,
  { isSecure, now }: Begin,
  { purpose, host, userId }: { purpose: PasskeyPurpose; host: string; userId: number | null },
): Promise<BeginPasskeyResult> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const challenge = makeChallenge();
  const own = userId === null ? null : await passkeys.listPasskeys(userId);
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge: Buffer.from(challenge, "base64url"),
    timeout: TIMEOUT_MS,
    userVerification: purpose === "sign-in" ? "required" : "preferred",
    // Without a list, the browser offers what it has for this site.
    ...(own && {
      allowCredentials: own
        .filter(({ site }) => site === host)
        .map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    }),
  });
  return {
    ok: true,
    options,
    cookie: await passkeyStep.seal({ purpose, challenge, userId, userHandle: null }, { isSecure, now }),
  };
}

async function beginAdding(
  { people, passwords, passkeys }: Parts,
  { viewer, form, request, isSecure, now }: Begin,
  host: string,
): Promise<BeginPasskeyResult> {
  if (!viewer) return refused(401, "Sign in first.");
  // Somebody who found a browser that is signed in must not get a key to the account.
  if (await hasPassword(people, viewer)) {
    const password = String(form.get("confirm") ?? "");
    const confirmed = await confirmPassword({ people, passwords }, { viewer, password, signal: request.signal });
    if (!confirmed.ok) {
      if (confirmed.reason === "wrong")
        return { ...refused(400, "This is not your current password."), field: "confirm" };
      const { reason, retryAfterSeconds } = confirmed;
      const message = reason === "busy" ? BUSY_MESSAGE : toWaitMessage(retryAfterSeconds);
      return { ...refused(429, message), field: "confirm", retryAfter: retryAfterSeconds };
    }
  }
  const known = await passkeys.listPasskeys(viewer.id);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const challenge = makeChallenge();
  const userHandle = known[0]?.userHandle ?? makeUserHandle();
  const options = await generateRegistrationOptions({
    rpName: "Culprit",
    rpID: host,
    userName: viewer.email,
    userDisplayName: viewer.name,
    userID: Buffer.from(userHandle, "base64url"),
    challenge: Buffer.from(challenge, "base64url"),
    timeout: TIMEOUT_MS,
    attestationType: "none",
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  const cookie = await passkeyStep.seal(
    { purpose: "add", challenge, userId: viewer.id, userHandle },
    { isSecure, now },
  );
  return { ok: true, options, cookie };
}

function refused(status: 400 | 401 | 409 | 429, message: string): BeginPasskeyResult & { ok: false } {
  return { ok: false, status, field: null, message, retryAfter: null };
}
