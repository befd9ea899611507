import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import type { Member } from "../../../domain/people/member.ts";
import {
  type KnownMember,
  type MemberRefusal,
  refuseFactorReset,
  refuseGrants,
  refuseRemoval,
  refuseReturn,
  refuseRole,
} from "../../../domain/people/member-rules.ts";
import type { Scope } from "../../../domain/scope.ts";
import { SESSION_MS } from "../../../domain/user.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import { MAX_MEMBERS, type MemberResult, type MemberStore } from "../../state/member-store.ts";
import { memberTarget, nameProjects, nameTeams } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { removePushSubscriptions } from "../notifications/push.ts";
import { setTeams } from "./access.ts";
import { changeIds } from "./change-ids.ts";
import { noteChangedSight, noteLostIssues, noteRegainedIssues } from "./note-lost-issues.ts";
import { removePasskeys } from "./passkeys.ts";
import { countOwners, getOrganization } from "./people.ts";
import { disconnectAll } from "./provider-sign-ins.ts";
import { removeSecondFactor } from "./second-factors.ts";
import { deleteBarredSessions } from "./sessions.ts";
import { setGrants } from "./set-grants.ts";

type MemberRow = RowOf<
  Member,
  {
    teamIds: string;
    projectIds: string;
    providers: string;
    seenAt: number | null;
    hasSecondFactor: number;
    hasPasskey: number;
  }
>;

/** Takes `:scope`, a JSON array of project ids. The expiry of a session tells when it was last used. */
const MEMBER_SQL = `
  SELECT ${asFields("m.user_id, u.email, u.name, m.role, m.joined_at, m.removed_at")},
    (SELECT max(CASE WHEN s.provider_id IS NULL THEN s.expires_at - ${SESSION_MS} ELSE coalesce(s.renewed_at, s.created_at) END) FROM sessions s WHERE s.user_id = m.user_id) AS seenAt,
    EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = m.user_id AND f.confirmed_at IS NOT NULL) AS hasSecondFactor,
    EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = m.user_id) AS hasPasskey,
    (SELECT json_group_array(json_object('name', name, 'givenTeamIds', json(given_teams))) FROM
      (SELECT p.name, i.given_teams FROM provider_identities i JOIN sign_in_providers p ON p.id = i.provider_id
       WHERE i.user_id = m.user_id ORDER BY 1)) AS providers,
    (SELECT json_group_array(team_id) FROM (SELECT team_id FROM team_members t WHERE t.user_id = m.user_id ORDER BY 1)) AS teamIds,
    (SELECT json_group_array(project_id) FROM (SELECT project_id FROM member_projects p WHERE p.user_id = m.user_id
       AND p.project_id IN (SELECT value FROM json_each(:scope)) ORDER BY 1)) AS projectIds
  FROM members m JOIN users u ON u.id = m.user_id`;

export function listMembers(
  db: SqliteConnection,
  scope: Scope,
  { withRemoved }: { withRemoved: boolean } = { withRemoved: false },
): Member[] {
  return db
    .all<MemberRow>(
      `${MEMBER_SQL} WHERE :withRemoved OR m.removed_at IS NULL ORDER BY name_key(u.name), m.user_id LIMIT ${MAX_MEMBERS}`,
      { scope: JSON.stringify(scope.projectIds), withRemoved: withRemoved ? 1 : 0 },
    )
    .map(toMember);
}

export function getMember(db: SqliteConnection, scope: Scope, userId: number): Member | null {
  const row = db.get<MemberRow>(`${MEMBER_SQL} WHERE m.user_id = :userId`, {
    scope: JSON.stringify(scope.projectIds),
    userId,
  });
  return row ? toMember(row) : null;
}

/** Within a write transaction. */
export function changeMember(
  db: SqliteConnection,
  scope: Scope,
  { userId, actor, role, teamIds, projectIds }: Parameters<MemberStore["changeMember"]>[1],
  now: number,
): MemberResult {
  return change(db, scope, userId, {
    action: "member.edit",
    refuse(known) {
      if (known.isRemoved) return "not-found";
      const hasGrants = teamIds !== undefined || projectIds !== undefined;
      return (role && refuseRole(actor, known, role)) ?? (hasGrants ? refuseGrants(actor, known) : null);
    },
    save(before) {
      const cause = { userId: actor?.userId ?? null, at: now };
      noteChangedSight(db, { userIds: [userId], teamIds: [] }, cause, () => {
        if (role) {
          db.run("UPDATE members SET role = :role WHERE user_id = :userId", { role, userId });
          deleteBarredSessions(db);
        }
        if (teamIds) setTeams(db, userId, changeIds(before.teamIds, teamIds));
        if (projectIds)
          setGrants(db, scope, {
            holder: "member",
            id: userId,
            projectIds: changeIds(before.projectIds, projectIds),
          });
      });
    },
  });
}

/** Within a write transaction. */
export function removeMember(
  db: SqliteConnection,
  scope: Scope,
  { userId, actor, at }: Parameters<MemberStore["removeMember"]>[1],
): MemberResult {
  return change(db, scope, userId, {
    action: "member.remove",
    refuse: (known) => (known.isRemoved ? "not-found" : refuseRemoval(actor, known)),
    save({ name }) {
      const reason = `${name} ${actor?.userId === userId ? "left" : "was removed from"} the organization`;
      noteLostIssues(db, { kind: "user", id: userId }, { userId: actor?.userId ?? null, at, reason });
      db.run("UPDATE members SET removed_at = :at WHERE user_id = :userId", { userId, at });
      db.run("DELETE FROM sessions WHERE user_id = :userId", { userId });
      db.run("DELETE FROM known_browsers WHERE user_id = :userId", { userId });
      removePushSubscriptions(db, userId);
    },
  });
}

/** Within a write transaction. */
export function restoreMember(
  db: SqliteConnection,
  scope: Scope,
  { userId, actor, at }: Parameters<MemberStore["restoreMember"]>[1],
): MemberResult {
  return change(db, scope, userId, {
    action: "member.restore",
    refuse: (known) => (known.isRemoved ? refuseReturn(actor, known) : null),
    save({ name }) {
      db.run("UPDATE members SET removed_at = NULL WHERE user_id = :userId", { userId });
      const assignee = { kind: "user", id: userId, name } as const;
      noteRegainedIssues(db, assignee, { userId: actor?.userId ?? null, at, reason: `${name} is a member again` });
    },
  });
}

/** Within a write transaction. */
export function resetSecondFactor(
  db: SqliteConnection,
  scope: Scope,
  { userId, actor }: Parameters<MemberStore["resetSecondFactor"]>[1],
): MemberResult {
  return change(db, scope, userId, {
    action: null,
    refuse: (known) => (known.isRemoved ? "not-found" : refuseFactorReset(actor, known)),
    save() {
      removeSecondFactor(db, userId);
      removePasskeys(db, userId);
      db.run("DELETE FROM sessions WHERE user_id = :userId", { userId });
    },
  });
}

/** Within a write transaction. */
export function disconnectMember(
  db: SqliteConnection,
  scope: Scope,
  { userId, actor }: Parameters<MemberStore["disconnectMember"]>[1],
): MemberResult {
  return change(db, scope, userId, {
    action: null,
    refuse: (known) => refuseFactorReset(actor, known),
    save: () => disconnectAll(db, userId),
  });
}

/** Within a write transaction. */
export function requireSecondFactor(db: SqliteConnection, _scope: Scope, isRequired: boolean): void {
  const organization = getOrganization(db);
  if (organization === null || organization.requiresSecondFactor === isRequired) return;
  db.run("UPDATE organization SET requires_second_factor = :isRequired", { isRequired: isRequired ? 1 : 0 });
  db.note({
    action: "sign-in.edit",
    target: { kind: "organization", id: 1, name: organization.slug },
    before: { requiresSecondFactor: organization.requiresSecondFactor },
    after: { requiresSecondFactor: isRequired },
  });
}

/** Within a write transaction. */
export function renameOrganization(db: SqliteConnection, _scope: Scope, name: string): void {
  const organization = getOrganization(db);
  if (organization === null || organization.name === name) return;
  db.run("UPDATE organization SET name = :name", { name });
  db.note({
    action: "organization.edit",
    target: { kind: "organization", id: 1, name: organization.slug },
    before: { name: organization.name },
    after: { name },
  });
}

function change(
  db: SqliteConnection,
  scope: Scope,
  userId: number,
  {
    action,
    refuse,
    save,
  }: {
    /** Null: `save` writes its own entry of the audit log. */
    action: "member.edit" | "member.remove" | "member.restore" | null;
    refuse(known: KnownMember): MemberRefusal | "not-found" | null;
    save(before: Member): void;
  },
): MemberResult {
  const before = getMember(db, scope, userId);
  if (before === null) return { ok: false, reason: "not-found" };
  const { role, removedAt } = before;
  const reason = refuse({ userId, role, isRemoved: removedAt !== null, ownerCount: countOwners(db) });
  if (reason) return { ok: false, reason };
  save(before);
  const member = getMember(db, scope, userId) ?? before;
  if (action !== null)
    db.note({ action, target: memberTarget(db, userId), before: toFields(db, before), after: toFields(db, member) });
  return { ok: true, member };
}

/** The fields of a member in the audit log. */
function toFields(db: SqliteConnection, { role, removedAt, teamIds, projectIds }: Member): AuditFields {
  return {
    role,
    removed: removedAt !== null,
    teams: nameTeams(db, teamIds),
    projects: nameProjects(db, projectIds),
  };
}

function toMember(row: MemberRow): Member {
  return {
    ...row,
    hasSecondFactor: row.hasSecondFactor === 1,
    hasPasskey: row.hasPasskey === 1,
    providers: JSON.parse(row.providers),
    teamIds: JSON.parse(row.teamIds),
    projectIds: JSON.parse(row.projectIds),
  };
}
