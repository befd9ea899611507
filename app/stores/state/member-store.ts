import type { Member } from "../../domain/people/member.ts";
import type { Actor, MemberRefusal } from "../../domain/people/member-rules.ts";
import type { Role } from "../../domain/people/roles.ts";
import type { Rota } from "../../domain/people/rota.ts";
import type { Team } from "../../domain/people/team.ts";
import type { Scope } from "../../domain/scope.ts";

/** More than any company whose load fits one server. */
export const MAX_MEMBERS = 1_000;
export const MAX_TEAMS = 200;

export type MemberResult = { ok: true; member: Member } | { ok: false; reason: MemberRefusal | "not-found" };
export type TeamResult = { ok: true; team: Team } | { ok: false; reason: "not-found" | "slug-taken" | "too-many" };

/** The whole list, or only the added and removed ids, which is independent of concurrent changes. */
export type IdsChange = readonly number[] | { add: readonly number[]; remove: readonly number[] };

/** Members of the organization and their teams. Projects are named within the scope: those outside of it stay as they are. */
export interface MemberStore {
  /** The members by name, at most `MAX_MEMBERS`. */
  listMembers(scope: Scope, options?: { withRemoved: boolean }): Promise<Member[]>;
  /** Also returns a member who was removed. */
  getMember(scope: Scope, userId: number): Promise<Member | null>;
  /**
   * Changes the given fields, all or none. Teams and projects that do not exist are left out. The activity of issues says if their
   * assignee no longer sees them, or sees them again.
   */
  changeMember(
    scope: Scope,
    change: {
      userId: number;
      actor: Actor;
      role?: Role;
      teamIds?: IdsChange;
      projectIds?: IdsChange;
    },
  ): Promise<MemberResult>;
  /**
   * Removes a member. The member's sessions and known browsers end, too. Personal tokens work again after `restoreMember`. The activity of
   * the member's issues says that nobody has them, and after a return that they are the member's again.
   */
  removeMember(scope: Scope, change: { userId: number; actor: Actor; at: number }): Promise<MemberResult>;
  restoreMember(scope: Scope, change: { userId: number; actor: Actor; at: number }): Promise<MemberResult>;
  /** Takes the second factor and its recovery codes away, and ends the member's sessions. The member may set up a new one. */
  resetSecondFactor(scope: Scope, change: { userId: number; actor: Actor }): Promise<MemberResult>;
  /** Disconnects the member from every provider. The next account there with their verified address becomes theirs, and claims decide nothing about them. */
  disconnectMember(scope: Scope, change: { userId: number; actor: Actor }): Promise<MemberResult>;
  isSecondFactorRequired(scope: Scope): Promise<boolean>;
  /** Whether members need a second factor, from their next request on. */
  requireSecondFactor(scope: Scope, isRequired: boolean): Promise<void>;
  /** Renames the organization. Its slug stays: tools have it in their configuration. */
  renameOrganization(scope: Scope, name: string): Promise<void>;

  /** The teams by name. */
  listTeams(scope: Scope): Promise<Team[]>;
  getTeam(scope: Scope, slug: string): Promise<Team | null>;
  /** `memberId`: who is in it from the start. */
  createTeam(
    scope: Scope,
    team: { slug: string; name: string; memberId: number | null; at: number },
  ): Promise<TeamResult>;
  /** Changes the given fields, as `changeMember` does. Removed members and projects outside of the scope are left out. */
  changeTeam(
    scope: Scope,
    change: {
      teamId: number;
      /** The person who changes it. Absent or null: a token. */
      userId?: number | null;
      slug?: string;
      name?: string;
      hasAllProjects?: boolean;
      memberIds?: IdsChange;
      projectIds?: IdsChange;
      /** Makes the new rota from the present one. */
      rota?: (before: Rota | null) => Rota | null;
    },
  ): Promise<TeamResult>;
  /**
   * Deletes a team. Returns whether there was one. The activity of its issues says that nobody has them. `userId`: the person who deletes
   * it. Null: a token.
   */
  deleteTeam(scope: Scope, change: { teamId: number; userId: number | null; at: number }): Promise<boolean>;
}
