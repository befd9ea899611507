import { randomBytes } from "node:crypto";
import type { OutgoingMessages } from "../../access/workspace.ts";
import { RESET_MS } from "../../domain/people/invitation.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { EmailChange, EmailChangeStore } from "../../stores/state/email-change-store.ts";
import { AttemptCounter } from "./attempt-counter.ts";
import { mailsResets, NOT_MAILED } from "./reset-password.server.ts";
import { hashToken, isToken } from "./session.server.ts";

/** Time in which the new address must confirm. */
const CONFIRM_MS = DAY_MS;
/** Time in which the former address can undo the change. */
const UNDO_MS = 7 * DAY_MS;
/** Without a limit, a signed-in person could send mail to strangers. */
const BY_MEMBER = new AttemptCounter({ maxAttempts: 5, windowMs: HOUR_MS });

interface Mail {
  notifications: Pick<OutgoingMessages, "mailFrom" | "sendNote">;
  settings: { publicUrl: string | null };
}

type Parts = Mail & { emailChanges: EmailChangeStore };

export type AskEmailResult =
  /** `isHeld`: the change is already in effect, and no mail was sent. */
  | { ok: true; isHeld: boolean }
  | { ok: false; status: 403 | 409 | 429 | 502; message: string; retryAfterSeconds: number | null };

/** Starts a change of the viewer's own address: the new address gets a link. Without mail, only an owner can change addresses. */
export async function askForEmail(
  parts: Parts,
  { viewer, email, now }: { viewer: User; email: string; now: number },
): Promise<AskEmailResult> {
  const { emailChanges, notifications, settings } = parts;
  const taken: AskEmailResult = {
    ...{ ok: false, status: 409, message: "Somebody else has this address.", retryAfterSeconds: null },
  };
  if (!mailsResets(parts)) {
    if (viewer.role === "owner")
      return (await emailChanges.setEmail({ userId: viewer.id, email, undo: null, at: now }))
        ? { ok: true, isHeld: true }
        : taken;
    const message = "This server mails no links, so an owner changes addresses, on Settings → Members.";
    return { ok: false, status: 403, message, retryAfterSeconds: null };
  }
  const at = performance.now();
  const retryAfterSeconds = BY_MEMBER.retryAfterSeconds(String(viewer.id), at);
  if (retryAfterSeconds > 0) return { ok: false, status: 429, message: "", retryAfterSeconds };
  BY_MEMBER.record(String(viewer.id), at);
  const token = makeToken();
  const ask = { tokenHash: hashToken(token), userId: viewer.id, email, expiresAt: now + CONFIRM_MS };
  if (!(await emailChanges.askEmailChange(ask))) return taken;
  const sent = await notifications.sendNote(email, {
    subject: "Confirm your address for Culprit",
    paragraphs: [
      `${viewer.name} wants to sign in to Culprit with this address instead of ${viewer.email}.`,
      "The link works once, for 24 hours. If you know nothing of it, leave it alone: nothing changes.",
    ],
    link: { url: `${settings.publicUrl}/change-email/${token}`, label: "Confirm this address" },
  });
  if (!sent.ok) return { ok: false, status: 502, message: NOT_MAILED, retryAfterSeconds: null };
  return { ok: true, isHeld: false };
}

/** Null: the link is used or expired, or never existed. */
export async function findEmailChange(
  { emailChanges }: Pick<Parts, "emailChanges">,
  token: string,
  now: number,
): Promise<EmailChange | null> {
  return isToken(token) ? await emailChanges.findEmailChange(hashToken(token), now) : null;
}

export type TakeEmailLinkResult =
  | { kind: "confirmed"; email: string }
  /** `resetToken`: the token of a link that sets a new password. */
  | { kind: "undone"; resetToken: string }
  | { kind: "gone" };

/** Carries out a link: confirms a new address, or undoes a change. */
export async function takeEmailLink(
  parts: Parts,
  { token, now }: { token: string; now: number },
): Promise<TakeEmailLinkResult> {
  const { emailChanges } = parts;
  const change = await findEmailChange(parts, token, now);
  if (!change) return { kind: "gone" };
  const tokenHash = hashToken(token);
  if (change.isUndo) {
    const resetToken = makeToken();
    const reset = { tokenHash: hashToken(resetToken), expiresAt: now + RESET_MS };
    const isDone = await emailChanges.undoEmailChange({ tokenHash, reset, at: now });
    return isDone ? { kind: "undone", resetToken } : { kind: "gone" };
  }
  const undoToken = makeToken();
  const undo = { tokenHash: hashToken(undoToken), expiresAt: now + UNDO_MS };
  const confirmed = await emailChanges.confirmEmailChange({ tokenHash, undo, at: now });
  if (!confirmed) return { kind: "gone" };
  tellFormer(parts, { ...confirmed, by: null, undoToken });
  return { kind: "confirmed", email: confirmed.to };
}

/** Changes another person's address. Null: somebody else has the address, or the person is not a member. */
export async function setEmail(
  parts: Parts,
  { userId, email, by, now }: { userId: number; email: string; by: string; now: number },
): Promise<EmailChange | null> {
  const undoToken = makeToken();
  const undo = mailsResets(parts) ? { tokenHash: hashToken(undoToken), expiresAt: now + UNDO_MS } : null;
  const changed = await parts.emailChanges.setEmail({ userId, email, undo, at: now });
  if (changed && undo) tellFormer(parts, { ...changed, by, undoToken });
  return changed;
}

function tellFormer(
  { notifications, settings }: Mail,
  { from, to, by, undoToken }: EmailChange & { by: string | null; undoToken: string },
): void {
  void notifications.sendNote(from, {
    subject: "Your address for Culprit was changed",
    paragraphs: [
      `${by === null ? "Your account signs in" : `${by} changed your account: it signs in`} with ${to} from now on.`,
      "If that was not meant to be, take it back within 7 days. Your sessions end, and you set a new password.",
    ],
    link: { url: `${settings.publicUrl}/change-email/${undoToken}`, label: "Take it back" },
  });
}

function makeToken(): string {
  return randomBytes(32).toString("base64url");
}
