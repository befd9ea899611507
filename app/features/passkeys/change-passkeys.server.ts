import { findPasskeySite, MAX_PASSKEY_NAME, MAX_PASSKEYS } from "../../domain/people/passkey.ts";
import type { User } from "../../domain/user.ts";
import { describeBrowser } from "../auth/describe-browser.ts";
import { readIntent } from "../input/read-intent.ts";
import { makeAttempt } from "../sign-in/attempt.server.ts";
import { askPasskeys } from "./ask-passkeys.server.ts";
import type { PasskeyParts } from "./passkey-ask.ts";
import { readAnswer } from "./read-answer.ts";

export const PASSKEY_INTENTS = ["add-passkey", "rename-passkey", "remove-passkey"] as const;

type Parts = PasskeyParts & { settings: { publicUrl: string | null } };

interface Change {
  viewer: User;
  form: FormData;
  request: Request;
  origin: string;
  isSecure: boolean;
  now: number;
}

export type ChangePasskeysResult =
  | { ok: true; done: string; setCookies: readonly string[] }
  | { ok: false; status: 400 | 404 | 409; field: string | null; message: string };

/** Changes the viewer's own passkeys, as the `intent` of the pressed button asks. */
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
      return { ok: true, done: `“${name}” is removed. Remove it on the device, too.`, setCookies: [] };
    }
  }
}

async function addPasskey(parts: Parts, change: Change): Promise<ChangePasskeysResult> {
  const { viewer: person, form, request, origin, isSecure, now } = change;
  const site = findPasskeySite({ publicUrl: parts.settings.publicUrl, origin });
  if (!site.ok) return refused(null, site.reason);
  const response = readAnswer(String(form.get("answer") ?? ""));
  if (!response) return refused(null, "Your browser made no passkey. That needs JavaScript.");
  const name = String(form.get("name") ?? "").trim() || describeBrowser(request.headers.get("user-agent"));
  if (name.length > MAX_PASSKEY_NAME) return refused("name", `At most ${MAX_PASSKEY_NAME} characters.`);
  const attempt = makeAttempt({ request, isSecure, now, by: "passkey" });
  const { outcome } = await askPasskeys(parts, { attempt, site, person }, (api) =>
    api.verifyPasskeyRegistration({ body: { response, name } }),
  );
  if (outcome.kind === "answered")
    return { ok: true, done: `“${name}” is added. You can sign in with it.`, setCookies: attempt.setCookies };
  const code = outcome.kind === "refused" ? outcome.code : "";
  const message = REASONS[code];
  if (!message) throw new Error(`a new passkey ended as ${outcome.kind}`, { cause: attempt.fault });
  return { ...refused(null, message), status: code === "PASSKEY_NOT_ADDED" ? 409 : 400 };
}

/** Messages by the plugin's names of reasons, and by those of `createCeremony`. */
const REASONS: Record<string, string> = {
  CHALLENGE_NOT_FOUND: "This took too long, or began in another browser. Begin again.",
  FAILED_TO_VERIFY_REGISTRATION: "The new passkey was not accepted. Begin again.",
  PASSKEY_NOT_ADDED: `It is known already, or you have ${MAX_PASSKEYS} passkeys. Remove one first.`,
};

async function renamePasskey({ passkeys }: Parts, { viewer, form }: Change): Promise<ChangePasskeysResult> {
  const name = String(form.get("name") ?? "").trim();
  if (name === "" || name.length > MAX_PASSKEY_NAME)
    return refused("rename", `Give it a name of at most ${MAX_PASSKEY_NAME} characters.`);
  const passkeyId = Number(form.get("passkey"));
  if (!(await passkeys.renamePasskey({ userId: viewer.id, passkeyId, name }))) return gone();
  return { ok: true, done: "Saved.", setCookies: [] };
}

function gone(): ChangePasskeysResult {
  return { ok: false, status: 404, field: null, message: "This passkey does not exist any more." };
}

function refused(field: string | null, message: string): ChangePasskeysResult & { ok: false } {
  return { ok: false, status: 400, field, message };
}
