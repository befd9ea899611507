import type { AuditFields, AuditTarget } from "../../../domain/audit/audit-entry.ts";
import type { Access } from "../../../domain/people/access.ts";
import type { Invitation } from "../../../domain/people/invitation.ts";
import { mayInvite } from "../../../domain/people/member-rules.ts";
import { higherRole, ROLES, type Role } from "../../../domain/people/roles.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import {
  type InvitationStore,
  type LinkStore,
  MAX_INVITATIONS,
  type RestoreInvitationResult,
} from "../../state/invitation-store.ts";
import { memberTarget, nameProjects, nameTeams } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { getAccess } from "./access.ts";
import { toEmailKey } from "./email-key.ts";
import { createMember } from "./people.ts";

type InvitationRow = RowOf<Omit<Invitation, "mail">, { teamIds: string; projectIds: string }> & {
  mailAnswer: string | null;
  mailIsOk: number | null;
};

const INVITATION_SQL = `
  SELECT ${asFields("i.id, i.email, i.role, i.team_ids, i.project_ids, i.created_at, i.expires_at, i.mail_answer, i.mail_is_ok")},
    u.name AS invitedBy
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by`;
/**
 * A condition: the person who made the invitation may still make it. Otherwise a removed member could come back by an invitation of their
 * own.
 */
const MAKER_MAY_INVITE = `(i.invited_by IS NULL OR EXISTS (
  SELECT 1 FROM members m WHERE m.user_id = i.invited_by AND m.removed_at IS NULL
    AND m.role IN (${toSqlList(ROLES.filter((role) => mayInvite(role, "viewer")))})
    AND (i.role <> 'owner' OR m.role IN (${toSqlList(ROLES.filter((role) => mayInvite(role, "owner")))}))))`;
const OPEN_SQL = `${INVITATION_SQL} WHERE i.revoked_at IS NULL AND ${MAKER_MAY_INVITE}`;

/** Within a write transaction. */
export function createInvitation(
  db: SqliteConnection,
  scope: Scope,
  { email, at, teamIds, projectIds, ...link }: Parameters<InvitationStore["createInvitation"]>[1],
): Invitation | null {
  deleteExpiredLinks(db, at);
  if (email !== null) db.run("DELETE FROM invitations WHERE lower(email) = :key", { key: toEmailKey(email) });
  if (isFull(db)) return null;
  const { insertedId } = db.run(
    `INSERT INTO invitations (token_hash, email, role, team_ids, project_ids, invited_by, created_at, expires_at)
     VALUES (:tokenHash, :email, :role, :teamIds, :projectIds, :invitedBy, :at, :expiresAt)`,
    {
      ...link,
      at,
      email: email === null ? null : toEmailKey(email),
      teamIds: JSON.stringify(teamIds),
      projectIds: JSON.stringify(projectIds.filter((id) => scope.projectIds.includes(id))),
    },
  );
  const invitation = getInvitation(db, insertedId);
  if (invitation)
    db.note({ action: "invitation.create", target: toTarget(invitation), after: toFields(db, invitation) });
  return invitation;
}

export function listInvitations(db: SqliteConnection, scope: Scope, now: number): Invitation[] {
  return db
    .all<InvitationRow>(`${OPEN_SQL} AND i.expires_at > :now ORDER BY i.created_at DESC, i.id DESC`, { now })
    .map(toInvitation)
    .map((each) => ({ ...each, projectIds: each.projectIds.filter((id) => scope.projectIds.includes(id)) }));
}

export function noteInvitationMail(
  db: SqliteConnection,
  _scope: Scope,
  invitationId: number,
  { isOk, answer }: { isOk: boolean; answer: string },
): void {
  db.run("UPDATE invitations SET mail_answer = :answer, mail_is_ok = :isOk WHERE id = :invitationId", {
    invitationId,
    answer,
    isOk: isOk ? 1 : 0,
  });
}

/** Within a write transaction. */
export function revokeInvitation(
  db: SqliteConnection,
  _scope: Scope,
  { invitationId, undoableBy, at }: Parameters<InvitationStore["revokeInvitation"]>[1],
): boolean {
  const invitation = getInvitation(db, invitationId);
  if (!invitation) return false;
  db.note({ action: "invitation.revoke", target: toTarget(invitation), before: toFields(db, invitation) });
  if (undoableBy === null) db.run("DELETE FROM invitations WHERE id = :invitationId", { invitationId });
  else
    db.run("UPDATE invitations SET revoked_at = :at, revoked_by = :undoableBy WHERE id = :invitationId", {
      invitationId,
      undoableBy,
      at,
    });
  return true;
}

/** Within a write transaction. */
export function restoreInvitation(
  db: SqliteConnection,
  _scope: Scope,
  { invitationId, userId, at }: Parameters<InvitationStore["restoreInvitation"]>[1],
): RestoreInvitationResult {
  const revoked = db.get<{ email: string | null; expiresAt: number }>(
    `SELECT i.email, i.expires_at AS expiresAt FROM invitations i
     WHERE i.id = :invitationId AND i.revoked_at IS NOT NULL AND i.revoked_by = :userId AND ${MAKER_MAY_INVITE}`,
    { invitationId, userId },
  );
  if (revoked === undefined) return { ok: false, reason: "gone" };
  if (revoked.expiresAt <= at) return { ok: false, reason: "over" };
  if (revoked.email !== null && findAddress(db, revoked.email) === "member") return { ok: false, reason: "member" };
  if (isFull(db)) return { ok: false, reason: "too-many" };
  db.run("UPDATE invitations SET revoked_at = NULL, revoked_by = NULL WHERE id = :invitationId", { invitationId });
  const invitation = getInvitation(db, invitationId);
  if (!invitation) return { ok: false, reason: "gone" };
  db.note({ action: "invitation.restore", target: toTarget(invitation), after: toFields(db, invitation) });
  return { ok: true, invitation };
}

export function findInvitation(db: SqliteConnection, tokenHash: string, now: number): Invitation | null {
  const sql = `${OPEN_SQL} AND i.token_hash = :tokenHash AND i.expires_at > :now`;
  const row = db.get<InvitationRow>(sql, { tokenHash, now });
  return row ? toInvitation(row) : null;
}

export function findAddress(db: SqliteConnection, email: string): "member" | "former" | null {
  const row = db.get<{ isMember: number }>(
    `SELECT m.user_id IS NOT NULL AS isMember FROM users u
     LEFT JOIN members m ON m.user_id = u.id AND m.removed_at IS NULL WHERE u.email_key = :emailKey`,
    { emailKey: toEmailKey(email) },
  );
  if (row === undefined) return null;
  return row.isMember === 1 ? "member" : "former";
}

/** Within a write transaction. */
export function acceptInvitation(
  db: SqliteConnection,
  { tokenHash, account, at }: Parameters<LinkStore["acceptInvitation"]>[0],
): number | null {
  const invitation = findInvitation(db, tokenHash, at);
  if (!invitation || findAddress(db, account.email) === "member") return null;
  const { id, role, teamIds, projectIds } = invitation;
  db.run("DELETE FROM invitations WHERE id = :id", { id });
  const userId = createMember(db, { ...account, role, teamIds, projectIds, at });
  noteAccepted(db, invitation, userId);
  return userId;
}

/** Within a write transaction. */
export function joinByInvitation(
  db: SqliteConnection,
  { tokenHash, userId, at }: Parameters<LinkStore["joinByInvitation"]>[0],
): Access | null {
  const invitation = findInvitation(db, tokenHash, at);
  const access = getAccess(db, userId);
  if (!invitation || !access) return null;
  const { id, role, teamIds, projectIds } = invitation;
  db.run("DELETE FROM invitations WHERE id = :id", { id });
  db.run("UPDATE members SET role = :role WHERE user_id = :userId", { userId, role: higherRole(access.role, role) });
  db.run(
    `INSERT INTO team_members (team_id, user_id)
     SELECT id, :userId FROM teams WHERE id IN (SELECT value FROM json_each(:teamIds)) ON CONFLICT DO NOTHING`,
    { userId, teamIds: JSON.stringify(teamIds) },
  );
  db.run(
    `INSERT INTO member_projects (user_id, project_id)
     SELECT :userId, id FROM projects WHERE id IN (SELECT value FROM json_each(:projectIds)) ON CONFLICT DO NOTHING`,
    { userId, projectIds: JSON.stringify(projectIds) },
  );
  noteAccepted(db, invitation, userId);
  return getAccess(db, userId);
}

/** Notes the acceptance in the audit log, for a new member or for one who joined before. */
function noteAccepted(db: SqliteConnection, invitation: Invitation, userId: number): void {
  const target = memberTarget(db, userId);
  db.note({
    action: "invitation.accept",
    target,
    after: { ...toFields(db, invitation), invitation: invitation.id, "invited by": invitation.invitedBy },
    actor: { kind: "member", id: userId, name: target.name },
  });
}

function getInvitation(db: SqliteConnection, invitationId: number): Invitation | null {
  const row = db.get<InvitationRow>(`${OPEN_SQL} AND i.id = :invitationId`, { invitationId });
  return row ? toInvitation(row) : null;
}

function toSqlList(roles: readonly Role[]): string {
  return roles.map((role) => `'${role}'`).join(", ");
}

function isFull(db: SqliteConnection): boolean {
  const sql = `SELECT count(*) AS count FROM invitations i WHERE i.revoked_at IS NULL AND ${MAKER_MAY_INVITE}`;
  return (db.get<{ count: number }>(sql)?.count ?? 0) >= MAX_INVITATIONS;
}

function toTarget({ id, email }: Invitation): AuditTarget {
  return { kind: "invitation", id, name: email ?? "anybody who has the link" };
}

/** The fields of an invitation in the audit log. */
function toFields(db: SqliteConnection, { role, teamIds, projectIds }: Invitation): AuditFields {
  return { role, teams: nameTeams(db, teamIds), projects: nameProjects(db, projectIds) };
}

/** Within a write transaction. */
function deleteExpiredLinks(db: SqliteConnection, now: number): void {
  db.run("DELETE FROM invitations WHERE expires_at <= :now", { now });
  db.run("DELETE FROM password_resets WHERE expires_at <= :now", { now });
}

function toInvitation({ mailAnswer, mailIsOk, ...row }: InvitationRow): Invitation {
  return {
    ...row,
    teamIds: JSON.parse(row.teamIds),
    projectIds: JSON.parse(row.projectIds),
    mail: mailAnswer === null ? null : { isOk: mailIsOk === 1, answer: mailAnswer },
  };
}
