import { randomBytes } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import { INVITATION_MS, type Invitation } from "../../domain/people/invitation.ts";
import { MEMBER_REFUSALS } from "../../domain/people/member-rules.ts";
import type { Role } from "../../domain/people/roles.ts";
import { MAX_INVITATIONS } from "../../stores/state/invitation-store.ts";
import { isEmail, MAX_EMAIL_LENGTH } from "../auth/credential-limits.ts";
import { hashToken } from "../auth/session.server.ts";
import { withArticle } from "./access-words.ts";
import { toActor } from "./change-member.server.ts";

export interface InvitationInput {
  /** Null: anybody with the link may use it. */
  email: string | null;
  role: Role;
  teamIds: readonly number[];
  projectIds: readonly number[];
}

export type InviteResult =
  | {
      ok: true;
      invitation: Invitation;
      /** The link. It is known only now. */
      url: string;
      /** The address was invited before. The former link is no longer valid. */
      hasReplaced: boolean;
    }
  | { ok: false; status: 400 | 403 | 409; field: "email" | "role" | null; message: string };

export const TOO_MANY_INVITATIONS = `There are ${MAX_INVITATIONS} open invitations, which is the limit. Revoke some first.`;

/**
 * Makes a link with which a person becomes a member. It is mailed if there is an address and mail is set up. `origin`: the start of
 * the link if no public address is configured.
 */
export async function inviteMember(
  workspace: Workspace,
  input: InvitationInput,
  { origin, now }: { origin: string; now: number },
): Promise<InviteResult> {
  const { state, scope, user, organization, settings, notifications } = workspace;
  const email = input.email?.trim().toLowerCase() || null;
  if (email !== null && (email.length > MAX_EMAIL_LENGTH || !isEmail(email)))
    return { ok: false, status: 400, field: "email", message: "This is not an e-mail address." };
  if (input.role === "owner" && toActor(workspace)?.role !== "owner")
    return { ok: false, status: 403, field: "role", message: MEMBER_REFUSALS["owner-only"] };
  const members = await state.members.listMembers(scope);
  if (email !== null && members.some((member) => member.email.toLowerCase() === email))
    return { ok: false, status: 409, field: "email", message: "Somebody with this address is a member already." };
  const open = email === null ? [] : await state.invitations.listInvitations(scope, now);
  const hasReplaced = open.some((each) => each.email === email);
  const token = randomBytes(32).toString("base64url");
  const invitation = await state.invitations.createInvitation(scope, {
    ...input,
    email,
    tokenHash: hashToken(token),
    invitedBy: user?.id ?? null,
    at: now,
    expiresAt: now + INVITATION_MS,
  });
  if (!invitation) return { ok: false, status: 409, field: null, message: TOO_MANY_INVITATIONS };
  const url = `${settings.publicUrl ?? origin}/invitation/${token}`;
  if (email === null || notifications.mailFrom === null) return { ok: true, invitation, url, hasReplaced };
  const by = user ? `${user.name} invites you` : "You are invited";
  const sent = await notifications.sendNote(email, {
    subject: `${by} to ${organization.name} on Culprit`,
    paragraphs: [
      `${by} to ${organization.name} on Culprit, as ${withArticle(input.role)}.`,
      "The link works once, for seven days. If you did not expect it, you can leave it alone.",
    ],
    link: { url, label: "Accept the invitation" },
  });
  const mail = { isOk: sent.ok, answer: sent.ok ? sent.answer : sent.reason };
  await state.invitations.noteInvitationMail(scope, invitation.id, mail);
  return { ok: true, invitation: { ...invitation, mail }, url, hasReplaced };
}

/** Makes the same invitation again with a new link. The old link is no longer valid. Null: the invitation is gone. */
export async function renewInvitation(
  workspace: Workspace,
  invitationId: number,
  options: { origin: string; now: number },
): Promise<InviteResult | null> {
  const { state, scope } = workspace;
  const { now: at } = options;
  const open = await state.invitations.listInvitations(scope, at);
  const invitation = open.find(({ id }) => id === invitationId);
  if (!invitation) return null;
  const made = await inviteMember(workspace, invitation, options);
  if (made.ok) await state.invitations.revokeInvitation(scope, { invitationId, undoableBy: null, at });
  return made;
}
