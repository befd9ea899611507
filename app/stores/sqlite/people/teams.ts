import type { AuditFields, AuditTarget } from "../../../domain/audit/audit-entry.ts";
import { toTimeOfDay } from "../../../domain/people/quiet-hours.ts";
import type { Rota } from "../../../domain/people/rota.ts";
import type { Team } from "../../../domain/people/team.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import { MAX_TEAMS, type MemberStore, type TeamResult } from "../../state/member-store.ts";
import { COVERED } from "../alerts/rules.ts";
import { nameMembers, nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { changeIds } from "./change-ids.ts";
import { noteChangedSight, noteLostIssues } from "./note-lost-issues.ts";
import { setGrants } from "./set-grants.ts";

type TeamRow = RowOf<Team, { hasAllProjects: number; projectIds: string; memberIds: string; rota: string | null }>;

/** Takes `:scope`, a JSON array of project ids. */
const TEAM_SQL = `
  SELECT ${asFields("t.id, t.slug, t.name, t.has_all_projects, t.rota, t.created_at")},
    (SELECT json_group_array(project_id) FROM (SELECT project_id FROM team_projects p WHERE p.team_id = t.id
       AND p.project_id IN (SELECT value FROM json_each(:scope)) ORDER BY 1)) AS projectIds,
    (SELECT json_group_array(user_id) FROM (SELECT m.user_id FROM team_members tm JOIN members m USING (user_id)
       WHERE tm.team_id = t.id AND m.removed_at IS NULL ORDER BY 1)) AS memberIds
  FROM teams t`;

export function listTeams(db: SqliteConnection, scope: Scope): Team[] {
  const params = { scope: JSON.stringify(scope.projectIds) };
  return db.all<TeamRow>(`${TEAM_SQL} ORDER BY name_key(t.name), t.id LIMIT ${MAX_TEAMS}`, params).map(toTeam);
}

export function getTeam(db: SqliteConnection, scope: Scope, slug: string): Team | null {
  const row = db.get<TeamRow>(`${TEAM_SQL} WHERE t.slug = :slug`, { scope: JSON.stringify(scope.projectIds), slug });
  return row ? toTeam(row) : null;
}

/** Within a write transaction. */
export function createTeam(
  db: SqliteConnection,
  scope: Scope,
  { slug, name, memberId, at }: Parameters<MemberStore["createTeam"]>[1],
): TeamResult {
  if (getTeam(db, scope, slug)) return { ok: false, reason: "slug-taken" };
  if ((db.get<{ count: number }>("SELECT count(*) AS count FROM teams")?.count ?? 0) >= MAX_TEAMS)
    return { ok: false, reason: "too-many" };
  const { insertedId } = db.run("INSERT INTO teams (slug, name, created_at) VALUES (:slug, :name, :at)", {
    slug,
    name,
    at,
  });
  if (memberId !== null) setTeamMembers(db, insertedId, [memberId]);
  const team = getTeam(db, scope, slug);
  if (team) db.note({ action: "team.create", target: toTarget(team), after: toFields(db, team) });
  return toResult(team);
}

/** Within a write transaction. */
export function changeTeam(
  db: SqliteConnection,
  scope: Scope,
  { teamId, userId = null, slug, name, hasAllProjects, rota, ...lists }: Parameters<MemberStore["changeTeam"]>[1],
  now: number,
): TeamResult {
  const before = findTeam(db, scope, teamId);
  if (before === null) return { ok: false, reason: "not-found" };
  if (slug !== undefined && slug !== before.slug && getTeam(db, scope, slug))
    return { ok: false, reason: "slug-taken" };
  db.run("UPDATE teams SET slug = coalesce(:slug, slug), name = coalesce(:name, name) WHERE id = :teamId", {
    teamId,
    slug: slug ?? null,
    name: name ?? null,
  });
  if (rota) {
    const next = rota(before.rota);
    db.run("UPDATE teams SET rota = :rota WHERE id = :teamId", { teamId, rota: next && JSON.stringify(next) });
  }
  const memberIds = lists.memberIds && changeIds(before.memberIds, lists.memberIds);
  const userIds = [...new Set([...before.memberIds, ...(memberIds ?? [])])];
  noteChangedSight(db, { userIds, teamIds: [teamId] }, { userId, at: now }, () => {
    if (hasAllProjects !== undefined)
      db.run("UPDATE teams SET has_all_projects = :all WHERE id = :teamId", { teamId, all: Number(hasAllProjects) });
    if (memberIds) setTeamMembers(db, teamId, memberIds);
    if (lists.projectIds) {
      const projectIds = changeIds(before.projectIds, lists.projectIds);
      setGrants(db, scope, { holder: "team", id: teamId, projectIds });
    }
  });
  const team = getTeam(db, scope, slug ?? before.slug);
  if (team)
    db.note({ action: "team.edit", target: toTarget(before), before: toFields(db, before), after: toFields(db, team) });
  return toResult(team);
}

/** Within a write transaction. */
export function deleteTeam(
  db: SqliteConnection,
  scope: Scope,
  { teamId, userId, at }: Parameters<MemberStore["deleteTeam"]>[1],
): boolean {
  const team = findTeam(db, scope, teamId);
  if (team === null) return false;
  db.note({ action: "team.delete", target: toTarget(team), before: toFields(db, team) });
  noteLostIssues(db, { kind: "team", id: teamId }, { userId, at, reason: `the team ${team.name} was deleted` });
  // Its alert rules continue for the projects that it saw.
  db.run(`UPDATE alert_rules AS r SET project_ids = ${COVERED} WHERE team_id = :teamId`, { teamId });
  noteChangedSight(db, { userIds: team.memberIds, teamIds: [] }, { userId, at }, () =>
    db.run("DELETE FROM teams WHERE id = :teamId", { teamId }),
  );
  return true;
}

function findTeam(db: SqliteConnection, scope: Scope, teamId: number): Team | null {
  const row = db.get<TeamRow>(`${TEAM_SQL} WHERE t.id = :teamId`, { scope: JSON.stringify(scope.projectIds), teamId });
  return row ? toTeam(row) : null;
}

function toTarget({ id, slug }: Team): AuditTarget {
  return { kind: "team", id, name: slug };
}

/** The fields of a team in the audit log. */
function toFields(
  db: SqliteConnection,
  { slug, name, hasAllProjects, memberIds, projectIds, rota }: Team,
): AuditFields {
  return {
    slug,
    name,
    "every project": hasAllProjects,
    members: nameMembers(db, memberIds),
    projects: nameProjects(db, projectIds),
    ...(rota === null ? {} : sayRota(db, rota)),
  };
}

function sayRota(db: SqliteConnection, { memberIds, handover, overrides }: Rota): AuditFields {
  const { weekday, minute, timezone } = handover;
  return {
    "on call": memberIds.flatMap((id) => nameMembers(db, [id])),
    handover: `day ${weekday}, ${toTimeOfDay(minute)} ${timezone}`,
    overrides: overrides.map(
      ({ userId, from, to }) =>
        `${nameMembers(db, [userId]).join("")} ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    ),
  };
}

function setTeamMembers(db: SqliteConnection, teamId: number, memberIds: readonly number[]): void {
  const params = { teamId, wanted: JSON.stringify(memberIds) };
  // Rows of removed members stay, in case they come back.
  db.run(
    `DELETE FROM team_members WHERE team_id = :teamId AND user_id NOT IN (SELECT value FROM json_each(:wanted))
     AND user_id IN (SELECT user_id FROM members WHERE removed_at IS NULL)`,
    params,
  );
  db.run(
    `INSERT INTO team_members (team_id, user_id)
     SELECT :teamId, user_id FROM members WHERE removed_at IS NULL AND user_id IN (SELECT value FROM json_each(:wanted))
     ON CONFLICT DO NOTHING`,
    params,
  );
}

function toResult(team: Team | null): TeamResult {
  return team ? { ok: true, team } : { ok: false, reason: "not-found" };
}

function toTeam(row: TeamRow): Team {
  return {
    ...row,
    hasAllProjects: row.hasAllProjects === 1,
    projectIds: JSON.parse(row.projectIds),
    memberIds: JSON.parse(row.memberIds),
    rota: row.rota === null ? null : JSON.parse(row.rota),
  };
}
