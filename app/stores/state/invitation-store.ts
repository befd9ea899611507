import type { Access } from "../../domain/people/access.ts";
import type { Invitation } from "../../domain/people/invitation.ts";
import type { Role } from "../../domain/people/roles.ts";
import type { Scope } from "../../domain/scope.ts";

/** Open at once: more than a company invites in a week. */
export const MAX_INVITATIONS = 500;

/** `member`: another user has the address of the invitation now. */
export type RestoreInvitationResult =
  | { ok: true; invitation: Invitation }
  | { ok: false; reason: "gone" | "over" | "member" | "too-many" };

/** Invitations as members see them. One that is used, revoked or over does not exist. */
export interface InvitationStore {
  /** Creates an invitation. An earlier one to the same address ends. Null when there are `MAX_INVITATIONS`. */
  createInvitation(
    scope: Scope,
    invitation: {
      tokenHash: string;
      email: string | null;
      role: Role;
      teamIds: readonly number[];
      /** Projects outside of the scope are left out. */
      projectIds: readonly number[];
      invitedBy: number | null;
      at: number;
      expiresAt: number;
    },
  ): Promise<Invitation | null>;
  /** Newest first. Project ids are those of the scope. */
  listInvitations(scope: Scope, now: number): Promise<Invitation[]>;
  noteInvitationMail(scope: Scope, invitationId: number, mail: { isOk: boolean; answer: string }): Promise<void>;
  /** Returns whether there was one. `undoableBy`: the user who may restore it. Null: it cannot be restored. */
  revokeInvitation(
    scope: Scope,
    revocation: { invitationId: number; undoableBy: number | null; at: number },
  ): Promise<boolean>;
  /**
   * Lets the same link work again until its old end. `gone`: the user did not revoke it last, or the address was invited again, which ends
   * an earlier invitation for good.
   */
  restoreInvitation(
    scope: Scope,
    of: { invitationId: number; userId: number; at: number },
  ): Promise<RestoreInvitationResult>;
  /**
   * A link by which the member sets a new password. The member's earlier links end. False: it was to be mailed to an address that the
   * member does not have any more, and was not made.
   */
  createReset(reset: {
    tokenHash: string;
    userId: number;
    mailedTo?: string;
    at: number;
    expiresAt: number;
  }): Promise<boolean>;
}

/** Links as strangers use them: by the hash of their token, and only once. */
export interface LinkStore {
  findInvitation(tokenHash: string, now: number): Promise<Invitation | null>;
  /** `former`: a removed member had the address. Null: nobody ever had it. */
  findAddress(email: string): Promise<"member" | "former" | null>;
  /** Makes the account a member and ends the invitation, in one step. Null: it is used, revoked or over, or the address is taken. */
  acceptInvitation(accept: {
    tokenHash: string;
    account: { email: string; name: string; passwordHash: string };
    at: number;
  }): Promise<number | null>;
  /** Adds the role, teams and projects of an invitation to a member. Null as above. */
  joinByInvitation(join: { tokenHash: string; userId: number; at: number }): Promise<Access | null>;
  findReset(tokenHash: string, now: number): Promise<{ userId: number; email: string } | null>;
  /**
   * Sets the password, and ends the sessions, the known browsers and all mailed links of the member, also those for another address. False: it
   * is used or over.
   */
  takeReset(reset: { tokenHash: string; passwordHash: string; now: number }): Promise<boolean>;
}
