import type { Workspace } from "../../access/workspace.ts";
import { isRole } from "../../domain/people/roles.ts";
import { readIntent } from "../input/read-intent.ts";
import { type InviteResult, inviteMember, renewInvitation } from "./invite-member.server.ts";
import { toIds } from "./read-ids.ts";

export type InvitationsFormResult =
  | { ok: true; message: string; made: { url: string; email: string | null; isMailed: boolean } | null }
  | { ok: false; status: 400 | 403 | 404 | 409; field: string | null; message: string };

const GONE = { ok: false, status: 404, field: null, message: "This invitation is used, revoked or over." } as const;

/** Does what the `intent` of the pressed button says. */
export async function changeInvitationsByForm(
  workspace: Workspace,
  { form, origin, now }: { form: FormData; origin: string; now: number },
): Promise<InvitationsFormResult> {
  const pressed = readIntent(form, ["invite", "renew", "revoke"]);
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
  const isRevoked = await workspace.state.invitations.revokeInvitation(workspace.scope, id);
  return isRevoked
    ? { ok: true, message: "The invitation is revoked: its link does not work any more.", made: null }
    : GONE;
}

function say(result: InviteResult): InvitationsFormResult {
  if (!result.ok) return result;
  const { email, mail } = result.invitation;
  const isMailed = mail?.isOk ?? false;
  const what = isMailed ? `Mailed to ${email}. You can hand the link over, too.` : "Hand this link over.";
  const trouble = mail && !isMailed ? ` The mail was not taken: ${mail.answer}` : "";
  return {
    ok: true,
    message: `${what} It is not shown again.${trouble}`,
    made: { url: result.url, email, isMailed },
  };
}
