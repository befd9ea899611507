import { z } from "zod";
import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { confirmPassword, hasPassword } from "../auth/confirm-password.server.ts";
import { BUSY_MESSAGE } from "../auth/credential-limits.ts";
import { createSealedCookie } from "../auth/sealed-cookie.server.ts";
import { toWaitMessage } from "../auth/wait-message.ts";
import { toConnectField } from "./connect-field.ts";

/** Notes that a person has confirmed with their password that an account at this provider may sign in to theirs. */
const confirmedConnect = createSealedCookie(
  "culprit_connect",
  z.object({ userId: z.number(), providerId: z.number() }),
  { maxAgeMs: 5 * MINUTE_MS },
);

interface Asked {
  viewer: User;
  request: Request;
  now: number;
}

export type ConfirmConnectResult =
  | { ok: true; providerId: number; setCookie: string }
  | { ok: false; status: 400 | 429; field: string; message: string; retryAfter: number | null };

/**
 * Checks the password of a person who wants to connect a provider. The form cannot redirect to the provider, because the content security
 * policy allows forms no other site.
 */
export async function confirmConnect(
  parts: { people: PeopleStore; passwords: PasswordHasher },
  { viewer, form, request, isSecure, now }: Asked & { form: FormData; isSecure: boolean },
): Promise<ConfirmConnectResult> {
  const providerId = Number(form.get("provider"));
  const password = String(form.get("confirm") ?? "");
  const confirmed = await confirmPassword(parts, { viewer, password, signal: request.signal });
  if (confirmed.ok) {
    const setCookie = await confirmedConnect.seal({ userId: viewer.id, providerId }, { isSecure, now });
    return { ok: true, providerId, setCookie };
  }
  const field = toConnectField(providerId);
  if (confirmed.reason === "wrong")
    return { ok: false, status: 400, field, message: "This is not your current password.", retryAfter: null };
  const { reason, retryAfterSeconds: retryAfter } = confirmed;
  return {
    ok: false,
    status: 429,
    field,
    message: reason === "busy" ? BUSY_MESSAGE : toWaitMessage(retryAfter),
    retryAfter,
  };
}

/**
 * Whether the person may connect a provider: somebody who finds an open browser must not get a way into the account. For a person without a
 * password, their provider asks.
 */
export async function mayConnect(
  { people }: { people: Pick<PeopleStore, "findCredentials"> },
  { viewer, request, now, providerId }: Asked & { providerId: number },
): Promise<boolean> {
  if (!(await hasPassword(people, viewer))) return true;
  const confirmed = await confirmedConnect.open(request, now);
  return confirmed?.userId === viewer.id && confirmed.providerId === providerId;
}
