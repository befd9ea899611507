import { randomBytes } from "node:crypto";
import type { OutgoingMessages } from "../../access/workspace.ts";
import { RESET_MS } from "../../domain/people/invitation.ts";
import type { HasherBusy } from "../../domain/people/password-hasher.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { InvitationStore, LinkStore } from "../../stores/state/invitation-store.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { askAuth } from "../sign-in/ask-auth.server.ts";
import { makeAttempt } from "../sign-in/attempt.server.ts";
import type { AuthParts } from "../sign-in/auth-parts.ts";
import { AttemptCounter } from "./attempt-counter.ts";
import { checkNewPassword } from "./check-new-account.ts";
import { toNetwork } from "./client-network.ts";
import { isEmail, MAX_EMAIL_LENGTH } from "./credential-limits.ts";
import { DECOY_HASH } from "./password.server.ts";
import { hashToken, isToken } from "./session.server.ts";

/** Mails to one address, from all senders together. Nobody is locked out: earlier links stay valid. */
const FOR_ADDRESS = new AttemptCounter({ maxAttempts: 3, windowMs: HOUR_MS });
const FROM_NETWORK = new AttemptCounter({ maxAttempts: 10, windowMs: 10 * MINUTE_MS });
const HASHES_FOR_LINK = new AttemptCounter({ maxAttempts: 10, windowMs: 10 * MINUTE_MS });

/** Shown only to a signed-in person: a stranger gets the same answer whether a mail is sent or not. */
export const NOT_MAILED =
  "The mail server did not take the mail with the link. Try again later, or tell an owner: the server’s log says why.";

type AskResult = { ok: true } | { ok: false; retryAfterSeconds: number | null; message: string };

/** The address of links comes only from the configuration: the host in a request must not decide where tokens are sent. */
export function mailsResets({
  notifications,
  settings,
}: {
  notifications: Pick<OutgoingMessages, "mailFrom">;
  settings: { publicUrl: string | null };
}): boolean {
  return notifications.mailFrom !== null && settings.publicUrl !== null;
}

/**
 * Mails a link to the address if a member has it. The answer and its time are the same in both cases: the link is made and mailed
 * afterwards. Above the limit of an address, no mail is sent, and the answer does not say so.
 */
export async function askForReset(
  {
    people,
    invitations,
    notifications,
    settings,
  }: {
    people: Pick<PeopleStore, "findCredentials">;
    invitations: Pick<InvitationStore, "createReset">;
    notifications: Pick<OutgoingMessages, "mailFrom" | "sendsNothing" | "sendNote" | "afterAnswer">;
    settings: { publicUrl: string | null };
  },
  { email, clientAddress, now }: { email: string; clientAddress: string | null; now: number },
): Promise<AskResult> {
  const { publicUrl } = settings;
  if (publicUrl === null || !mailsResets({ notifications, settings })) {
    return { ok: false, retryAfterSeconds: null, message: sayNoLinks(notifications) };
  }
  const address = email.trim().toLowerCase();
  if (address.length > MAX_EMAIL_LENGTH || !isEmail(address))
    return { ok: false, retryAfterSeconds: null, message: "This is not an e-mail address." };
  const at = performance.now();
  const network = toNetwork(clientAddress);
  const retryAfterSeconds = FROM_NETWORK.retryAfterSeconds(network, at);
  if (retryAfterSeconds > 0) return { ok: false, retryAfterSeconds, message: "" };
  FROM_NETWORK.record(network, at);
  if (FOR_ADDRESS.retryAfterSeconds(address, at) > 0) return { ok: true };
  FOR_ADDRESS.record(address, at);
  // Writing the link takes longer than everything else here. The time would reveal who is a member.
  notifications.afterAnswer(() => mailReset({ people, invitations, notifications, publicUrl }, { address, now }));
  return { ok: true };
}

async function mailReset(
  {
    people,
    invitations,
    notifications,
    publicUrl,
  }: {
    people: Pick<PeopleStore, "findCredentials">;
    invitations: Pick<InvitationStore, "createReset">;
    notifications: Pick<OutgoingMessages, "sendNote">;
    publicUrl: string;
  },
  { address, now }: { address: string; now: number },
): Promise<void> {
  const member = await people.findCredentials(address);
  // Members whose account a provider made sign in there. They can ask for a password when they are signed in.
  if (!member || member.passwordHash === DECOY_HASH) return;
  const token = makeToken();
  // Other writes come first, and one of them may change the address. Then the former address gets no link.
  if (!(await saveReset(invitations, { token, userId: member.userId, mailedTo: address, now }))) return;
  await notifications.sendNote(address, {
    subject: "A new password for Culprit",
    paragraphs: [
      "Somebody asked for a new password for your account.",
      "The link works once, for 24 hours. If it was not you, you can leave it alone: your password stays as it is.",
    ],
    link: { url: `${publicUrl}/reset-password/${token}`, label: "Set a new password" },
  });
}

/** Mails a signed-in person a link that sets the first password of their account. */
export async function mailFirstPassword(
  {
    invitations,
    notifications,
    settings,
  }: {
    invitations: Pick<InvitationStore, "createReset">;
    notifications: Pick<OutgoingMessages, "mailFrom" | "sendsNothing" | "sendNote">;
    settings: { publicUrl: string | null };
  },
  { viewer, now }: { viewer: User; now: number },
): Promise<AskResult> {
  const { publicUrl } = settings;
  if (publicUrl === null || !mailsResets({ notifications, settings })) {
    return { ok: false, retryAfterSeconds: null, message: sayNoLinks(notifications) };
  }
  const at = performance.now();
  const address = viewer.email.toLowerCase();
  const retryAfterSeconds = FOR_ADDRESS.retryAfterSeconds(address, at);
  if (retryAfterSeconds > 0) return { ok: false, retryAfterSeconds, message: "" };
  FOR_ADDRESS.record(address, at);
  const token = await createReset(invitations, { userId: viewer.id, now });
  const sent = await notifications.sendNote(viewer.email, {
    subject: "A password for Culprit",
    paragraphs: [
      "You asked for a password for your account, which has none so far.",
      "The link works once, for 24 hours. If it was not you, leave it alone, and end the other sessions on Settings.",
    ],
    link: { url: `${publicUrl}/reset-password/${token}`, label: "Set a password" },
  });
  return sent.ok ? { ok: true } : { ok: false, retryAfterSeconds: null, message: NOT_MAILED };
}

/** Returns the token of the link. Only its hash is stored. */
export async function createReset(
  invitations: Pick<InvitationStore, "createReset">,
  { userId, now }: { userId: number; now: number },
): Promise<string> {
  const token = makeToken();
  await saveReset(invitations, { token, userId, now });
  return token;
}

function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

function saveReset(
  invitations: Pick<InvitationStore, "createReset">,
  { token, now, ...reset }: { token: string; userId: number; mailedTo?: string; now: number },
): Promise<boolean> {
  return invitations.createReset({ ...reset, tokenHash: hashToken(token), at: now, expiresAt: now + RESET_MS });
}

/** Null: the link is used or expired, or never existed. */
export async function findReset(
  { links }: { links: Pick<LinkStore, "findReset"> },
  token: string,
  now: number,
): Promise<{ userId: number; email: string } | null> {
  return isToken(token) ? links.findReset(hashToken(token), now) : null;
}

export type ResetResult =
  | { ok: true; userId: number }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "wrong"; message: string }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number }
  | HasherBusy;

/** Sets the password with a link. All sessions end, and all known browsers are forgotten. */
export async function resetPassword(
  parts: AuthParts,
  {
    token,
    password,
    request,
    isSecure,
    now,
  }: { token: string; password: string; request: Request; isSecure: boolean; now: number },
): Promise<ResetResult> {
  const reset = await findReset(parts, token, now);
  if (!reset) return { ok: false, reason: "gone" };
  const problem = checkNewPassword(password);
  if (problem !== null) return { ok: false, reason: "wrong", message: problem };
  const at = performance.now();
  const retryAfterSeconds = HASHES_FOR_LINK.retryAfterSeconds(token, at);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many-attempts", retryAfterSeconds };
  HASHES_FOR_LINK.record(token, at);
  const attempt = makeAttempt({ request, isSecure, now, by: "link for a new password", resetToken: token });
  const outcome = await askAuth(parts, attempt, (api) => api.resetPassword({ body: { token, newPassword: password } }));
  switch (outcome.kind) {
    case "answered":
      return { ok: true, userId: reset.userId };
    case "busy":
      return outcome.busy;
    default:
      return { ok: false, reason: "gone" };
  }
}

function sayNoLinks({ sendsNothing }: Pick<OutgoingMessages, "sendsNothing">): string {
  const why = sendsNothing ? "it was started with SEND_NOTHING=1" : "that needs SMTP_URL and PUBLIC_URL";
  return `This server mails no links: ${why}. Ask an owner for a link.`;
}
