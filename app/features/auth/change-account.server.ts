import { type AuditNote, nameMember } from "../../domain/audit/audit-entry.ts";
import { toOneLine } from "../../domain/one-line.ts";
import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { readIntent } from "../input/read-intent.ts";
import { askForEmail } from "./change-email.server.ts";
import { type ConfirmPasswordResult, confirmPassword, isStillPassword } from "./confirm-password.server.ts";
import {
  BUSY_MESSAGE,
  isEmail,
  LONG_EMAIL,
  LONG_PASSWORD,
  MAX_EMAIL_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "./credential-limits.ts";
import { forgetOtherBrowsers } from "./known-browser.server.ts";
import { getPasswordState } from "./password-state.server.ts";
import { mailFirstPassword } from "./reset-password.server.ts";
import { endOtherSessions } from "./session.server.ts";
import { toWaitMessage } from "./wait-message.ts";

export type ChangeAccountResult = { ok: true; done: string } | ChangeAccountRefusal;

export interface ChangeAccountRefusal {
  ok: false;
  status: 400 | 403 | 404 | 409 | 429 | 502;
  /** The field of the form that is wrong. Null: no field is. */
  field: string | null;
  message: string;
  /** Seconds. Null unless the status is 429. */
  retryAfter: number | null;
}

type Parts = Parameters<typeof mailFirstPassword>[0] &
  Parameters<typeof askForEmail>[0] & {
    people: PeopleStore;
    providerSignIns: Pick<ProviderSignInStore, "listOffered">;
    passwords: PasswordHasher;
    audit: { note(note: AuditNote): Promise<void> };
  };

interface Change {
  viewer: User;
  form: FormData;
  /** Needed for its session, its browser and its signal. */
  request: Request;
  now: number;
}

/** Changes the viewer's own account. The form's `intent` is that of the pressed button. */
export async function changeAccount(parts: Parts, change: Change): Promise<ChangeAccountResult> {
  const read = readIntent(change.form, ["profile", "password", "mail-password", "end-session", "end-other-sessions"]);
  if (!read.ok) return refused(read.field, read.message);
  switch (read.intent) {
    case "profile":
      return await changeProfile(parts, change);
    case "end-session":
      return await endSession(parts, change);
    case "end-other-sessions":
      await endOtherSessions(parts.people, { userId: change.viewer.id, request: change.request });
      await noteEndedSessions(parts, change.viewer);
      return { ok: true, done: "You are signed out everywhere else." };
    case "mail-password":
      return await mailPassword(parts, change);
    case "password":
      return await changePassword(parts, change);
  }
}

async function changeProfile(parts: Parts, { viewer, form, request, now }: Change): Promise<ChangeAccountResult> {
  const name = toOneLine(String(form.get("name") ?? ""));
  const email = String(form.get("email") ?? "").trim();
  if (name === "") return refused("name", "Enter your name.");
  if (name.length > MAX_NAME_LENGTH) return refused("name", `At most ${MAX_NAME_LENGTH} characters.`);
  if (email.length > MAX_EMAIL_LENGTH) return refused("email", LONG_EMAIL);
  if (!isEmail(email)) return refused("email", "This is not an e-mail address.");
  const state = await getPasswordState(parts, viewer);
  if (state.kind !== "has") {
    // No password confirms that it is the right person. So the address, with which somebody could get a password, stays.
    if (email.toLowerCase() !== viewer.email.toLowerCase())
      return refused("email", "Your account has no password, so its address is that of your provider.");
    await parts.people.changeProfile(viewer.id, { name, email: viewer.email });
    return { ok: true, done: "Your name is saved." };
  }
  const password = String(form.get("confirm") ?? "");
  const confirmed = await confirmPassword(parts, { viewer, password, signal: request.signal });
  if (!confirmed.ok) return notConfirmed("confirm", confirmed);
  if (name !== viewer.name) await parts.people.changeProfile(viewer.id, { name, email: viewer.email });
  if (email.toLowerCase() === viewer.email.toLowerCase()) return { ok: true, done: "Your name is saved." };
  const asked = await askForEmail(parts, { viewer: { ...viewer, name }, email, now });
  if (asked.ok)
    return {
      ok: true,
      done: asked.isHeld
        ? "Your name and address are saved."
        : `A link is on its way to ${email}. You sign in with that address once you have used it.`,
    };
  const { status, message, retryAfterSeconds: retryAfter } = asked;
  return { ...refused("email", retryAfter === null ? message : toWaitMessage(retryAfter)), status, retryAfter };
}

async function changePassword(parts: Parts, { viewer, form, request }: Change): Promise<ChangeAccountResult> {
  const { people, passwords } = parts;
  const state = await getPasswordState(parts, viewer);
  if (state.kind !== "has") return { ...refused(null, "Your account has no password so far."), status: 409 };
  const current = String(form.get("current") ?? "");
  const next = String(form.get("next") ?? "");
  if (next.length < MIN_PASSWORD_LENGTH) return refused("next", `At least ${MIN_PASSWORD_LENGTH} characters.`);
  if (next.length > MAX_PASSWORD_LENGTH) return refused("next", LONG_PASSWORD);
  if (current.length > MAX_PASSWORD_LENGTH) return refused("current", LONG_PASSWORD);
  const { signal } = request;
  const confirmed = await confirmPassword({ people, passwords }, { viewer, password: current, signal });
  if (!confirmed.ok) return notConfirmed("current", confirmed);
  const hashed = await passwords.hash(next, { lane: "known", signal });
  if (!hashed.ok) return notConfirmed("current", hashed);
  if (!(await isStillPassword(people, viewer, confirmed.passwordHash)))
    return notConfirmed("current", { ok: false, reason: "wrong" });
  await people.changePassword(viewer.id, hashed.hash);
  // A person who knew the old password is signed out, and their browser is no longer known.
  await endOtherSessions(people, { userId: viewer.id, request });
  await forgetOtherBrowsers(people, { userId: viewer.id, request });
  return { ok: true, done: "Your password is changed, and you are signed out everywhere else." };
}

async function mailPassword(parts: Parts, { viewer, now }: Change): Promise<ChangeAccountResult> {
  const state = await getPasswordState(parts, viewer);
  if (state.kind === "has") return { ...refused(null, "Your account has a password. Change it here."), status: 409 };
  if (state.kind === "not-allowed")
    return { ...refused(null, "Only owners sign in with a password, so there is none to set."), status: 409 };
  const mailed = await mailFirstPassword(parts, { viewer, now });
  if (mailed.ok) return { ok: true, done: `A link is on its way to ${viewer.email}. It works once, for 24 hours.` };
  const { retryAfterSeconds } = mailed;
  if (retryAfterSeconds === null) return { ...refused(null, mailed.message), status: 409 };
  return { ...refused(null, toWaitMessage(retryAfterSeconds)), status: 429, retryAfter: retryAfterSeconds };
}

async function endSession(parts: Parts, { viewer, form }: Change): Promise<ChangeAccountResult> {
  if (await parts.people.endSession(viewer.id, String(form.get("session") ?? "").slice(0, 64))) {
    await noteEndedSessions(parts, viewer);
    return { ok: true, done: "The session has ended." };
  }
  return { ...refused(null, "This session has ended already."), status: 404 };
}

function noteEndedSessions({ audit }: Parts, viewer: User): Promise<void> {
  return audit.note({
    action: "session.end-other",
    target: { kind: "member", id: viewer.id, name: nameMember(viewer) },
  });
}

function notConfirmed(field: string, result: ConfirmPasswordResult & { ok: false }): ChangeAccountRefusal {
  if (result.reason === "wrong") return refused(field, "This is not your current password.");
  const { reason, retryAfterSeconds } = result;
  const message = reason === "busy" ? BUSY_MESSAGE : toWaitMessage(retryAfterSeconds);
  return { ...refused(field, message), status: 429, retryAfter: retryAfterSeconds };
}

function refused(field: string | null, message: string): ChangeAccountRefusal {
  return { ok: false, status: 400, field, message, retryAfter: null };
}
