import { allowsScope } from "../api-token.ts";
import { ROLE_RIGHTS, type Role } from "./roles.ts";

/** Who asks for a change of members. Null: a token of the organization, which belongs to no person. */
export type Actor = { userId: number; role: Role } | null;

/** What a rule must know about the member who is changed. */
export interface KnownMember {
  userId: number;
  role: Role;
  isRemoved: boolean;
  /** Owners of the organization who are not removed. */
  ownerCount: number;
}

export type MemberRefusal = "last-owner" | "owner-only" | "own-role" | "owner-resets" | "own-factor";

/** Null: the role may become `role`. */
export function refuseRole(actor: Actor, member: KnownMember, role: Role): MemberRefusal | null {
  if (member.role === role) return null;
  if ((role === "owner" || member.role === "owner") && actor?.role !== "owner") return "owner-only";
  if (isLastOwner(member)) return "last-owner";
  // An owner may give up the role here, because there is another owner.
  return actor?.userId === member.userId && actor.role !== "owner" ? "own-role" : null;
}

/** Whether somebody with the role `maker` may invite somebody as `role`. */
export function mayInvite(maker: Role, role: Role): boolean {
  return maker === "owner" || (role !== "owner" && allowsScope(ROLE_RIGHTS[maker], ["member:write"]));
}

/** Null: the member may be removed, or may leave when it is themselves. */
export function refuseRemoval(actor: Actor, member: KnownMember): MemberRefusal | null {
  if (isLastOwner(member)) return "last-owner";
  return member.role === "owner" && actor?.role !== "owner" ? "owner-only" : null;
}

/** Null: the removed member may come back with the former role. */
export function refuseReturn(actor: Actor, member: KnownMember): MemberRefusal | null {
  return member.role === "owner" && actor?.role !== "owner" ? "owner-only" : null;
}

/** Null: teams and projects of the member may be changed. */
export function refuseGrants(actor: Actor, member: KnownMember): MemberRefusal | null {
  return member.role === "owner" && actor?.role !== "owner" ? "owner-only" : null;
}

/** Null: the member's second factor, or account of a provider, may be taken away. Somebody who may do that and set a password can sign in as the member. */
export function refuseFactorReset(actor: Actor, member: KnownMember): MemberRefusal | null {
  if (actor?.role !== "owner") return "owner-resets";
  // They need a code for their own: somebody may have found a browser that is signed in.
  return actor.userId === member.userId ? "own-factor" : null;
}

export const MEMBER_REFUSALS: Readonly<Record<MemberRefusal, string>> = {
  "last-owner": "This is the last owner. Make somebody else an owner first.",
  "owner-only": "Only an owner can make, change or remove an owner.",
  "owner-resets": "Only an owner takes a way to sign in from somebody.",
  "own-factor": "Change your own ways to sign in on Settings → Your sign-in.",
  "own-role": "Nobody changes their own role. Ask another manager or an owner.",
};

function isLastOwner({ role, isRemoved, ownerCount }: KnownMember): boolean {
  return role === "owner" && !isRemoved && ownerCount <= 1;
}
