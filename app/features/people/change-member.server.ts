import type { Workspace } from "../../access/workspace.ts";
import type { Member } from "../../domain/people/member.ts";
import { type Actor, MEMBER_REFUSALS, type MemberRefusal } from "../../domain/people/member-rules.ts";
import type { Role } from "../../domain/people/roles.ts";
import type { IdsChange, MemberResult } from "../../stores/state/member-store.ts";

export type ChangeMemberResult = { ok: true; member: Member } | { ok: false; status: 403 | 404 | 409; message: string };

/** The person behind a request, in the form that rules use. */
export function toActor({ user }: Workspace): Actor {
  return user && { userId: user.id, role: user.role };
}

/** Changes the given values. New rights apply from the member's next request. */
export async function changeMember(
  workspace: Workspace,
  change: { userId: number; role?: Role; teamIds?: IdsChange; projectIds?: IdsChange },
): Promise<ChangeMemberResult> {
  const { state, scope } = workspace;
  return toAnswer(await state.members.changeMember(scope, { ...change, actor: toActor(workspace) }));
}

/** Removes a member, or lets the reader leave. Their sessions end. */
export async function removeMember(
  workspace: Workspace,
  { userId, now }: { userId: number; now: number },
): Promise<ChangeMemberResult> {
  const { state, scope } = workspace;
  return toAnswer(await state.members.removeMember(scope, { userId, actor: toActor(workspace), at: now }));
}

/** Undoes a removal: role, teams and projects are those that the member had. */
export async function restoreMember(
  workspace: Workspace,
  { userId, now }: { userId: number; now: number },
): Promise<ChangeMemberResult> {
  const { state, scope } = workspace;
  return toAnswer(await state.members.restoreMember(scope, { userId, actor: toActor(workspace), at: now }));
}

/** Removes the second factor of a person who has lost both phone and recovery codes. They get a mail if mail is set up. */
export async function resetSecondFactor(
  workspace: Workspace,
  { userId }: { userId: number },
): Promise<ChangeMemberResult> {
  const { state, scope, user, notifications } = workspace;
  const result = await state.members.resetSecondFactor(scope, { userId, actor: toActor(workspace) });
  if (result.ok && notifications.mailFrom !== null)
    void notifications.sendNote(result.member.email, {
      subject: "Your second factor for Culprit was turned off",
      paragraphs: [
        `${user?.name ?? "Somebody"} turned off two-factor sign-in of your account and removed its passkeys. Your sessions have ended.`,
        "If you did not ask for it, tell an owner of your organization.",
      ],
      link: null,
    });
  return toAnswer(result);
}

/** Lets another account of the provider with the member's address become theirs, after the provider has made their account again. */
export async function disconnectMember(
  workspace: Workspace,
  { userId }: { userId: number },
): Promise<ChangeMemberResult> {
  const { state, scope } = workspace;
  return toAnswer(await state.members.disconnectMember(scope, { userId, actor: toActor(workspace) }));
}

function toAnswer(result: MemberResult): ChangeMemberResult {
  if (result.ok) return result;
  if (result.reason === "not-found") return { ok: false, status: 404, message: "This person is no member any more." };
  return { ok: false, status: STATUSES[result.reason], message: MEMBER_REFUSALS[result.reason] };
}

const STATUSES: Record<MemberRefusal, 403 | 409> = {
  "last-owner": 409,
  "owner-only": 403,
  "own-role": 403,
  "owner-resets": 403,
  "own-factor": 403,
};
