import type { Workspace } from "../../access/workspace.ts";
import { isRole } from "../../domain/people/roles.ts";
import { setEmail } from "../auth/change-email.server.ts";
import { isEmail, MAX_EMAIL_LENGTH } from "../auth/credential-limits.ts";
import { createReset } from "../auth/reset-password.server.ts";
import { readIntent } from "../input/read-intent.ts";
import { ROLE_WORDS } from "./access-words.ts";
import {
  type ChangeMemberResult,
  changeMember,
  disconnectMember,
  removeMember,
  resetSecondFactor,
  restoreMember,
} from "./change-member.server.ts";
import { readIds } from "./read-ids.ts";

export type MembersFormResult =
  /** `undo`: the id of the member whose removal can be undone. Null: there is none. */
  | { ok: true; message: string; undo: number | null; link?: string }
  | { ok: false; status: 400 | 403 | 404 | 409; message: string };

/** Handles the forms for the member that the form names. The `intent` is that of the pressed button. */
export async function changeMembersByForm(
  workspace: Workspace,
  { form, userId, origin, now }: { form: FormData; userId: number; origin: string; now: number },
): Promise<MembersFormResult> {
  const pressed = readIntent(form, [
    "role",
    "access",
    "remove",
    "restore",
    "reset",
    "reset-factor",
    "disconnect",
    "address",
  ]);
  if (!pressed.ok) return pressed;
  if (!Number.isSafeInteger(userId)) return { ok: false, status: 404, message: "This person is no member any more." };
  switch (pressed.intent) {
    case "role": {
      const role = form.get("role");
      if (!isRole(role)) return { ok: false, status: 400, message: "Choose one of the roles." };
      return say(await changeMember(workspace, { userId, role }), (name) => `${name}: ${ROLE_WORDS[role].label}.`);
    }
    case "access": {
      const change = { userId, teamIds: readIds(form, "team"), projectIds: readIds(form, "project") };
      return say(await changeMember(workspace, change), (name) => `Teams and projects of ${name} saved.`);
    }
    case "remove":
      return remove(workspace, { userId, now });
    case "address":
      return changeAddress(workspace, { userId, email: String(form.get("email") ?? "").trim(), now });
    case "reset":
      return makeResetLink(workspace, { userId, origin, now });
    case "reset-factor":
      return say(
        await resetSecondFactor(workspace, { userId }),
        (name) => `The second factor of ${name} is off, passkeys are removed, and their sessions have ended.`,
      );
    case "disconnect":
      return say(
        await disconnectMember(workspace, { userId }),
        (name) => `${name} is disconnected, and their sessions from there have ended.`,
      );
    case "restore":
      return say(await restoreMember(workspace, { userId, now }), (name) => `${name} is a member again.`);
  }
}

async function remove(
  workspace: Workspace,
  { userId, now }: { userId: number; now: number },
): Promise<MembersFormResult> {
  const made = (await workspace.state.tokens.listTokens()).filter(
    (token) => token.kind === "organization" && token.userId === userId,
  ).length;
  const left =
    made === 0
      ? ""
      : ` Tokens of the organization that they made still work (${made}). Revoke them on Settings → Tokens.`;
  return say(await removeMember(workspace, { userId, now }), (name) => `${name} was removed.${left}`, userId);
}

/** A person who changes the address of an account can get a password for it. So this needs the same rights as a link for a new password. */
async function changeAddress(
  { state, scope, user, settings, notifications }: Workspace,
  { userId, email, now }: { userId: number; email: string; now: number },
): Promise<MembersFormResult> {
  if (user?.role !== "owner") return { ok: false, status: 403, message: "Only an owner changes addresses of others." };
  if (email.length > MAX_EMAIL_LENGTH || !isEmail(email))
    return { ok: false, status: 400, message: "This is not an e-mail address." };
  const member = await state.members.getMember(scope, userId);
  if (!member || member.removedAt !== null)
    return { ok: false, status: 404, message: "This person is no member any more." };
  const parts = { emailChanges: state.emailChanges, notifications, settings };
  if (!(await setEmail(parts, { userId, email, by: user.name, now })))
    return { ok: false, status: 409, message: "Somebody else has this address." };
  return { ok: true, message: `${member.name} signs in with ${email} from now on.`, undo: null };
}

/** Makes a link that sets a new password, which an owner can give to the member. */
async function makeResetLink(
  { state, scope, user, settings }: Workspace,
  { userId, origin, now }: { userId: number; origin: string; now: number },
): Promise<MembersFormResult> {
  if (user?.role !== "owner")
    return { ok: false, status: 403, message: "Only an owner makes links for new passwords." };
  const member = await state.members.getMember(scope, userId);
  if (!member || member.removedAt !== null)
    return { ok: false, status: 404, message: "This person is no member any more." };
  const token = await createReset(state.invitations, { userId, now });
  const message = `A link for ${member.name} to set a new password. It works once, for 24 hours, and is not shown again.`;
  return { ok: true, message, undo: null, link: `${settings.publicUrl ?? origin}/reset-password/${token}` };
}

function say(
  result: ChangeMemberResult,
  toMessage: (name: string) => string,
  undo: number | null = null,
): MembersFormResult {
  return result.ok ? { ok: true, message: toMessage(result.member.name), undo } : result;
}
