import type { Invitation } from "../../domain/people/invitation.ts";
import type { HasherBusy, PasswordHasher } from "../../domain/people/password-hasher.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { LinkStore } from "../../stores/state/invitation-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { checkNewAccount, type NewAccountErrors } from "../auth/check-new-account.ts";
import { hashToken, isToken } from "../auth/session.server.ts";

/** Passwords that may be hashed for one invitation. Mistakes in the form do not count. */
const HASHES_FOR_LINK = new AttemptCounter({ maxAttempts: 10, windowMs: 10 * MINUTE_MS });

interface Links {
  links: LinkStore;
}

/** Null: it is used, revoked or expired, or never existed. */
export async function findInvitation({ links }: Links, token: string, now: number): Promise<Invitation | null> {
  return isToken(token) ? links.findInvitation(hashToken(token), now) : null;
}

export type AcceptResult =
  | { ok: true; userId: number }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "wrong"; errors: NewAccountErrors }
  | { ok: false; reason: "has-account" }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number }
  | HasherBusy;

/** Makes an account with a password, and makes it a member. An invitation with an address is only valid for that address. */
export async function acceptInvitation(
  { links, passwords }: Links & { passwords: PasswordHasher },
  { token, form, signal, now }: { token: string; form: FormData; signal: AbortSignal; now: number },
): Promise<AcceptResult> {
  const invitation = await findInvitation({ links }, token, now);
  if (!invitation) return { ok: false, reason: "gone" };
  const checked = checkNewAccount(form, invitation.email);
  if (!checked.ok) return { ok: false, reason: "wrong", errors: checked.errors };
  const { email, name, password } = checked.account;
  const known = await links.findAddress(email);
  if (known === "member") return { ok: false, reason: "has-account" };
  // A person who has only the link must not take over what a former member did.
  if (known === "former" && invitation.email === null) {
    const errors = { email: "A former member had this address. Ask for an invitation to it." };
    return { ok: false, reason: "wrong", errors };
  }
  // A stranger with a link must not be able to keep the only password thread busy.
  const at = performance.now();
  const retryAfterSeconds = HASHES_FOR_LINK.retryAfterSeconds(token, at);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many-attempts", retryAfterSeconds };
  HASHES_FOR_LINK.record(token, at);
  const hashed = await passwords.hash(password, { lane: "strangers", signal });
  if (!hashed.ok) return hashed;
  const account = { email, name, passwordHash: hashed.hash };
  const userId = await links.acceptInvitation({ tokenHash: hashToken(token), account, at: now });
  return userId === null ? { ok: false, reason: "gone" } : { ok: true, userId };
}

/** Whether the invitation is for anybody, or for this person's address. */
export function isMeant({ email }: Pick<Invitation, "email">, viewer: Pick<User, "email">): boolean {
  return email === null || email === viewer.email.trim().toLowerCase();
}

/** Gives a signed-in member what the invitation adds. */
export async function joinByInvitation(
  { links }: Links,
  { token, viewer, now }: { token: string; viewer: User; now: number },
): Promise<"joined" | "gone" | "other-address"> {
  const invitation = await findInvitation({ links }, token, now);
  if (!invitation) return "gone";
  if (!isMeant(invitation, viewer)) return "other-address";
  const joined = await links.joinByInvitation({ tokenHash: hashToken(token), userId: viewer.id, at: now });
  return joined ? "joined" : "gone";
}
