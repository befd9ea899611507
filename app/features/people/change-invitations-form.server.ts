import type { Workspace } from "../../access/workspace.ts";
import { isRole } from "../../domain/people/roles.ts";
import { readIntent } from "../input/read-intent.ts";
import { type InviteResult, inviteMember, renewInvitation, TOO_MANY_INVITATIONS } from "./invite-member.server.ts";
import { toIds } from "./read-ids.ts";

export type InvitationsFormResult =
  | {
      ok: true;
      message: string;
      made: { url: string; email: string | null; isMailed: boolean } | null;
      /** The id of the invitation that an undo restores. Null: there is none. */
      revoked: number | null;
    }
  | { ok: false; status: 400 | 403 | 404 | 409; field: string | null; message: string };

const GONE = { ok: false, status: 404, field: null, message: "This invitation is used, revoked or over." } as const;

const RESTORE_REFUSALS = {
  gone: "There is nothing to undo: the invitation is back, or its address was invited again.",
  over: "The time of this invitation is over. Invite again.",
  member: "Somebody with this address is a member by now.",
  "too-many": TOO_MANY_INVITATIONS,
} as const;

/** Handles the forms for invitations. The `intent` is that of the pressed button. */
export async function changeInvitationsByForm(
  workspace: Workspace,
  { form, origin, now }: { form: FormData; origin: string; now: number },
): Promise<InvitationsFormResult> {
  const pressed = readIntent(form, ["invite", "renew", "revoke", "restore-invitation"]);
  if (!pressed.ok) return pressed;
  if (pressed.intent === "invite") {
    const role = form.get("role");
    if (!isRole(role)) return { ok: false, status: 400, field: "role", message: "Choose one of the roles." };
    const email = String(form.get("email") ?? "").trim() || null;
    const input = { email, role, teamIds: toIds(form, "team"), projectIds: toIds(form, "project") };
    return say(await inviteMember(workspace, input, { origin, now }));
  }
  const id = Number(form.get("invitation"));
  if (!Number.isSafeInteger(id)) return GONE;
  if (pressed.intent === "renew") {
    const renewed = await renewInvitation(workspace, id, { origin, now });
    return renewed ? say(renewed) : GONE;
  }
  const { state, scope, user } = workspace;
  const userId = user?.id ?? null;
  if (pressed.intent === "revoke") {
    const of = { invitationId: id, undoableBy: userId, at: now };
    if (!(await state.invitations.revokeInvitation(scope, of))) return GONE;
    const message = "The invitation is revoked: its link does not work any more.";
    return { ok: true, message, made: null, revoked: userId === null ? null : id };
  }
  if (userId === null) return GONE;
  const restored = await state.invitations.restoreInvitation(scope, { invitationId: id, userId, at: now });
  return restored.ok
    ? { ok: true, message: "The invitation is back: its link works again.", made: null, revoked: null }
    : { ok: false, status: 409, field: null, message: RESTORE_REFUSALS[restored.reason] };
}

function say(result: InviteResult): InvitationsFormResult {
  if (!result.ok) return result;
  const { email, mail } = result.invitation;
  const isMailed = mail?.isOk ?? false;
  const what = isMailed ? `Mailed to ${email}. You can hand the link over, too.` : "Hand this link over.";
  const trouble = mail && !isMailed ? `The mail was not taken (${mail.answer}). ` : "";
  const former = result.hasReplaced ? " The link that this address had before does not work any more." : "";
  return {
    ok: true,
    message: `${trouble}${what} It is not shown again.${former}`,
    made: { url: result.url, email, isMailed },
    revoked: null,
  };
}
