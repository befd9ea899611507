import { findPasskeySite, MAX_PASSKEY_NAME, MAX_PASSKEYS } from "../../domain/people/passkey.ts";
import type { User } from "../../domain/user.ts";
import type { PasskeyStore } from "../../stores/state/passkey-store.ts";
import { describeBrowser } from "../auth/describe-browser.ts";
import { readIntent } from "../input/read-intent.ts";
import { loadWebAuthn, passkeyStep, readRegistration } from "./passkey-ceremony.server.ts";

export const PASSKEY_INTENTS = ["add-passkey", "rename-passkey", "remove-passkey"] as const;

interface Parts {
  passkeys: PasskeyStore;
  settings: { publicUrl: string | null };
}

interface Change {
  viewer: User;
  form: FormData;
  request: Request;
  origin: string;
  now: number;
}

export type ChangePasskeysResult =
  | { ok: true; done: string; cookie: string | null }
  | { ok: false; status: 400 | 404 | 409; field: string | null; message: string };

/** Changes the viewer's own passkeys as the `intent` of the pressed button says. */
export async function changePasskeys(parts: Parts, change: Change): Promise<ChangePasskeysResult> {
  const read = readIntent(change.form, PASSKEY_INTENTS);
  if (!read.ok) return { ok: false, status: 400, field: null, message: read.message };
  switch (read.intent) {
    case "add-passkey":
      return await addPasskey(parts, change);
    case "rename-passkey":
      return await renamePasskey(parts, change);
    case "remove-passkey": {
      const passkeyId = Number(change.form.get("passkey"));
      const name = await parts.passkeys.removePasskey({ userId: change.viewer.id, passkeyId });
      if (name === null) return gone();
      return { ok: true, done: `“${name}” is removed. Remove it on the device, too.`, cookie: null };
    }
  }
}

async function addPasskey(
  { passkeys, settings }: Parts,
  { viewer, form, request, origin, now }: Change,
): Promise<ChangePasskeysResult> {
  const site = findPasskeySite({ publicUrl: settings.publicUrl, origin });
  if (!site.ok) return refused(null, site.reason);
  const response = readRegistration(String(form.get("answer") ?? ""));
  if (!response) return refused(null, "Your browser made no passkey. That needs JavaScript.");
  const step = await passkeyStep.open(request, now);
  if (step?.purpose !== "add" || step.userId !== viewer.id || step.userHandle === null)
    return refused(null, "This took too long, or began in another browser. Begin again.");
  const name = String(form.get("name") ?? "").trim() || describeBrowser(request.headers.get("user-agent"));
  if (name.length > MAX_PASSKEY_NAME) return refused("name", `At most ${MAX_PASSKEY_NAME} characters.`);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: step.challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    // A key without PIN or fingerprint stands for the code after a password.
    requireUserVerification: false,
  }).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
  if (verified instanceof Error || !verified.verified)
    return refused(null, "The new passkey was not accepted. Begin again.");
  const { credential, credentialBackedUp } = verified.registrationInfo;
  const isAdded = await passkeys.addPasskey({
    userId: viewer.id,
    credentialId: credential.id,
    userHandle: step.userHandle,
    site: site.host,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: response.response.transports ?? [],
    isBackedUp: credentialBackedUp,
    name,
    createdAt: now,
  });
  if (!isAdded)
    return {
      ...refused(null, `It is known already, or you have ${MAX_PASSKEYS} passkeys. Remove one first.`),
      status: 409,
    };
  return { ok: true, done: `“${name}” is added. You can sign in with it.`, cookie: await passkeyStep.forget() };
}

async function renamePasskey({ passkeys }: Parts, { viewer, form }: Change): Promise<ChangePasskeysResult> {
  const name = String(form.get("name") ?? "").trim();
  if (name === "" || name.length > MAX_PASSKEY_NAME)
    return refused("rename", `Give it a name of at most ${MAX_PASSKEY_NAME} characters.`);
  const passkeyId = Number(form.get("passkey"));
  if (!(await passkeys.renamePasskey({ userId: viewer.id, passkeyId, name }))) return gone();
  return { ok: true, done: "Saved.", cookie: null };
}

function gone(): ChangePasskeysResult {
  return { ok: false, status: 404, field: null, message: "This passkey does not exist any more." };
}

function refused(field: string | null, message: string): ChangePasskeysResult & { ok: false } {
  return { ok: false, status: 400, field, message };
}
