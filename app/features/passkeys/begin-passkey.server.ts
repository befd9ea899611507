import { randomBytes } from "node:crypto";
import { findPasskeySite } from "../../domain/people/passkey.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { toNetwork } from "../auth/client-network.ts";
import { confirmPassword, hasPassword } from "../auth/confirm-password.server.ts";
import { BUSY_MESSAGE } from "../auth/credential-limits.ts";
import { findFirstStep } from "../auth/finish-sign-in.server.ts";
import { toWaitMessage } from "../auth/wait-message.ts";
import { makeAttempt } from "../sign-in/attempt.server.ts";
import { askPasskeys } from "./ask-passkeys.server.ts";
import type { PasskeyAsk, PasskeyParts } from "./passkey-ask.ts";
import type { PasskeyAuth } from "./passkey-auth.server.ts";

/** The limit of challenges for one network. The server stores nothing for a challenge. */
const BEGUN_FROM_NETWORK = new AttemptCounter({ maxAttempts: 120, windowMs: 10 * MINUTE_MS });
/** How long the browser waits for the device. */
const TIMEOUT_MS = 5 * MINUTE_MS;
const HANDLE_BYTES = 32;

type Parts = PasskeyParts & { settings: { publicUrl: string | null } };

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
  /** `options`: for the browser's call. */
  | { ok: true; options: object; setCookies: readonly string[] }
  | { ok: false; status: 400 | 401 | 409 | 429; field: string | null; message: string; retryAfter: number | null };

/** Begins the form's `purpose`. It gives the browser a challenge and the requirements for the passkey. */
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
      // Without a list, the browser offers every passkey that it has for this site.
      return await ask(parts, begin, { site, person: null }, (api) => api.generatePasskeyAuthenticationOptions(), {
        userVerification: "required",
      });
    case "code": {
      const step = await findFirstStep(parts, begin);
      if (!step) return refused(401, "Give your password first.");
      const person = { id: step.userId, email: step.email };
      return await ask(parts, begin, { site, person }, (api) => api.generatePasskeyAuthenticationOptions());
    }
    case "add":
      return await beginAdding(parts, begin, site);
    default:
      return refused(400, "purpose must be sign-in, code or add.");
  }
}

async function beginAdding(parts: Parts, begin: Begin, site: PasskeyAsk["site"]): Promise<BeginPasskeyResult> {
  const { viewer: person, form, request } = begin;
  if (!person) return refused(401, "Sign in first.");
  // Somebody who found a signed-in browser must not get a key to the account.
  if (await hasPassword(parts.people, person)) {
    const password = String(form.get("confirm") ?? "");
    const confirmed = await confirmPassword(parts, { viewer: person, password, signal: request.signal });
    if (!confirmed.ok) {
      if (confirmed.reason === "wrong")
        return { ...refused(400, "This is not your current password."), field: "confirm" };
      const { reason, retryAfterSeconds } = confirmed;
      const message = reason === "busy" ? BUSY_MESSAGE : toWaitMessage(retryAfterSeconds);
      return { ...refused(429, message), field: "confirm", retryAfter: retryAfterSeconds };
    }
  }
  const [known] = await parts.passkeys.listPasskeys(person.id);
  // The plugin would make a new handle for each passkey, and browsers would show them as different accounts.
  const userHandle = known?.userHandle ?? randomBytes(HANDLE_BYTES).toString("base64url");
  const query = { context: userHandle };
  return await ask(parts, begin, { site, person }, (api) => api.generatePasskeyRegistrationOptions({ query }), {
    user: { id: userHandle, name: person.email, displayName: person.name },
  });
}

/** `more`: options for the browser that do not come from the plugin. */
async function ask(
  parts: Parts,
  { request, isSecure, now }: Begin,
  asked: PasskeyAsk,
  generate: (api: PasskeyAuth["api"]) => Promise<object>,
  more: object = {},
): Promise<BeginPasskeyResult> {
  const attempt = makeAttempt({ request, isSecure, now, by: "passkey" });
  const { outcome } = await askPasskeys(parts, { ...asked, attempt }, generate);
  if (outcome.kind !== "answered") throw new Error(`a challenge ended as ${outcome.kind}`, { cause: attempt.fault });
  return { ok: true, options: { ...outcome.answer, timeout: TIMEOUT_MS, ...more }, setCookies: attempt.setCookies };
}

function refused(status: 400 | 401 | 409 | 429, message: string): BeginPasskeyResult & { ok: false } {
  return { ok: false, status, field: null, message, retryAfter: null };
}
