import type { Assignee, AssigneeRef } from "../../../domain/issues/triage.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";
import { memberSees, teamSees } from "../people/sees-project.ts";

/** SQL: whether the person or team of a row `a` (`user_id`, `team_id`) sees the project of `issues AS i`. */
export const ASSIGNEE_SEES = `CASE WHEN a.user_id IS NULL THEN ${teamSees("a.team_id", "i.project_id")}
  ELSE ${memberSees("a.user_id", "i.project_id")} END`;

/** SQL of the `Assignee` of a row as JSON, from its `user_id` or `team_id`. */
export function toAssigneeJson(row: string): string {
  return `CASE WHEN ${row}.user_id IS NULL
    THEN (SELECT json_object('kind', 'team', 'id', t.id, 'slug', t.slug, 'name', t.name) FROM teams AS t WHERE t.id = ${row}.team_id)
    ELSE (SELECT json_object('kind', 'user', 'id', u.id, 'name', u.name) FROM users AS u WHERE u.id = ${row}.user_id) END`;
}

/** The `Assignee` of `issues AS i` as JSON. NULL: nobody. */
export const ASSIGNEE_JSON = `(SELECT ${toAssigneeJson("a")}
  FROM issue_assignees AS a WHERE a.issue_id = i.id AND ${ASSIGNEE_SEES})`;

/** The assignee as a text: `user:3`. */
export const ASSIGNEE_TEXT = `(SELECT iif(a.user_id IS NULL, 'team:' || a.team_id, 'user:' || a.user_id)
  FROM issue_assignees AS a WHERE a.issue_id = i.id AND ${ASSIGNEE_SEES})`;

/** Not NULL if somebody is suggested for `issues AS i`. */
export const SUGGESTED = `(SELECT 1 FROM issue_suggestions AS a WHERE a.issue_id = i.id AND ${ASSIGNEE_SEES} LIMIT 1)`;

export function loadAssignee(db: SqliteConnection, issueId: number): AssigneeRef | null {
  const row = db.get<{ assignee: string | null }>(
    `SELECT ${ASSIGNEE_JSON} AS assignee FROM issues AS i WHERE i.id = :issueId`,
    { issueId },
  );
  if (row === undefined || row.assignee === null) return null;
  const { kind, id }: Assignee = JSON.parse(row.assignee);
  return { kind, id };
}

/** Within a write transaction. */
export function saveAssignee(
  db: SqliteConnection,
  { issueId, assignee, at }: { issueId: number; assignee: AssigneeRef | null; at: number },
): void {
  if (assignee === null) {
    db.run("DELETE FROM issue_assignees WHERE issue_id = :issueId", { issueId });
    return;
  }
  db.run(
    `INSERT INTO issue_assignees (issue_id, user_id, team_id, at) VALUES (:issueId, :userId, :teamId, :at)
     ON CONFLICT DO UPDATE SET user_id = excluded.user_id, team_id = excluded.team_id, at = excluded.at`,
    {
      issueId,
      at: Math.floor(at),
      userId: assignee.kind === "user" ? assignee.id : null,
      teamId: assignee.kind === "team" ? assignee.id : null,
    },
  );
}

/** Whether somebody may get issues of the project. */
export function seesProject(db: SqliteConnection, { kind, id }: AssigneeRef, projectId: number): boolean {
  const sql = kind === "user" ? memberSees(":id", ":projectId") : teamSees(":id", ":projectId");
  return db.get<{ sees: number }>(`SELECT ${sql} AS sees`, { id, projectId })?.sees === 1;
}

/** The people who are told that an issue of the project was assigned: the member, or the members of the team who see the project. */
export function listAssigned(db: SqliteConnection, { kind, id }: AssigneeRef, projectId: number): number[] {
  if (kind === "user") return [id];
  return db
    .all<{ id: number }>(
      `SELECT user_id AS id FROM team_members AS m WHERE m.team_id = :id AND ${memberSees("m.user_id", ":projectId")} ORDER BY 1`,
      { id, projectId },
    )
    .map((row) => row.id);
}

export function getAssignee(db: SqliteConnection, { kind, id }: AssigneeRef): Assignee | null {
  const sql =
    kind === "user"
      ? "SELECT u.id, u.name FROM users AS u JOIN members AS m ON m.user_id = u.id WHERE u.id = :id AND m.removed_at IS NULL"
      : "SELECT id, slug, name FROM teams WHERE id = :id";
  const row = db.get<{ id: number; name: string; slug: string }>(sql, { id });
  return row === undefined ? null : toAssignee(kind, row);
}

export function listAssignees(
  db: SqliteConnection,
  scope: Scope,
  { projectId, limit }: { projectId: number | null; limit: number },
): Assignee[] {
  const projectIds = projectId === null ? scope.projectIds : scope.projectIds.filter((id) => id === projectId);
  const params = { scope: JSON.stringify(projectIds), limit };
  const anyOf = (sees: string) => `EXISTS (SELECT 1 FROM json_each(:scope) AS p WHERE ${sees})`;
  const users = db.all<{ id: number; name: string; slug: string }>(
    `SELECT u.id, u.name, '' AS slug FROM members AS m JOIN users AS u ON u.id = m.user_id
     WHERE m.removed_at IS NULL AND ${anyOf(memberSees("m.user_id", "p.value"))}
     ORDER BY name_key(u.name), u.id LIMIT :limit`,
    params,
  );
  const teams = db.all<{ id: number; name: string; slug: string }>(
    `SELECT t.id, t.name, t.slug FROM teams AS t WHERE ${anyOf(teamSees("t.id", "p.value"))}
     ORDER BY name_key(t.name), t.id LIMIT :limit`,
    params,
  );
  return [...users.map((row) => toAssignee("user", row)), ...teams.map((row) => toAssignee("team", row))];
}

function toAssignee(kind: AssigneeRef["kind"], row: { id: number; name: string; slug: string }): Assignee {
  return kind === "user" ? { kind, id: row.id, name: row.name } : { kind, id: row.id, slug: row.slug, name: row.name };
}

/** SQL: whether the assignee of `issues AS i` is one of these (as `ASSIGNEE_TEXT` has them), found by the index of assignees. */
export function isAssignedToAny(values: readonly string[], bindJson: BindIds): string {
  return `+i.id IN (${listIssuesOf("issue_assignees", values, bindJson)}) AND ${ASSIGNEE_TEXT} IS NOT NULL`;
}

/** SQL: whether one of these is suggested for `issues AS i`. */
export function isSuggestedToAny(values: readonly string[], bindJson: BindIds): string {
  const isOne = `(a.user_id IN ${toIdList("user", values, bindJson)} OR a.team_id IN ${toIdList("team", values, bindJson)})`;
  return `+i.id IN (${listIssuesOf("issue_suggestions", values, bindJson)})
    AND EXISTS (SELECT 1 FROM issue_suggestions AS a WHERE a.issue_id = i.id AND ${isOne} AND ${ASSIGNEE_SEES})`;
}

type BindIds = (ids: readonly number[]) => string;

function listIssuesOf(table: string, values: readonly string[], bindJson: BindIds): string {
  return `SELECT issue_id FROM ${table} WHERE user_id IN ${toIdList("user", values, bindJson)}
      UNION ALL SELECT issue_id FROM ${table} WHERE team_id IN ${toIdList("team", values, bindJson)}`;
}

function toIdList(kind: AssigneeRef["kind"], values: readonly string[], bindJson: BindIds): string {
  return bindJson(
    values.flatMap((value) => (value.startsWith(`${kind}:`) ? Number(value.slice(kind.length + 1)) : [])),
  );
}
