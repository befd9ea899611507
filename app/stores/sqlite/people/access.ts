import type { Access, TeamAccess } from "../../../domain/people/access.ts";
import type { Role } from "../../../domain/people/roles.ts";
import type { SqliteConnection } from "../connection.ts";

export function getAccess(db: SqliteConnection, userId: number): Access | null {
  const member = db.get<{ role: Role; projectIds: string }>(
    `SELECT role, (SELECT json_group_array(project_id) FROM (
       SELECT project_id FROM member_projects WHERE user_id = :userId ORDER BY 1)) AS projectIds
     FROM members WHERE user_id = :userId AND removed_at IS NULL`,
    { userId },
  );
  if (member === undefined) return null;
  const teams = db.all<Omit<TeamAccess, "hasAllProjects" | "projectIds"> & { all: number; projectIds: string }>(
    `SELECT t.id, t.slug, t.name, t.has_all_projects AS "all", (SELECT json_group_array(project_id) FROM (
       SELECT project_id FROM team_projects WHERE team_id = t.id ORDER BY 1)) AS projectIds
     FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = :userId ORDER BY name_key(t.name), t.id`,
    { userId },
  );
  return {
    role: member.role,
    projectIds: JSON.parse(member.projectIds),
    teams: teams.map(({ all, projectIds, ...team }) => ({
      ...team,
      hasAllProjects: all === 1,
      projectIds: JSON.parse(projectIds),
    })),
  };
}

/** Within a write transaction. */
export function setTeams(db: SqliteConnection, userId: number, teamIds: readonly number[]): void {
  const wanted = JSON.stringify(teamIds);
  db.run("DELETE FROM team_members WHERE user_id = :userId AND team_id NOT IN (SELECT value FROM json_each(:wanted))", {
    userId,
    wanted,
  });
  db.run(
    `INSERT INTO team_members (team_id, user_id)
     SELECT id, :userId FROM teams WHERE id IN (SELECT value FROM json_each(:wanted)) ON CONFLICT DO NOTHING`,
    { userId, wanted },
  );
}
