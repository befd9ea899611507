/** SQL: whether a member sees a project, like `findPaths` of `domain/people/access.ts`. A removed member sees none. */
export function memberSees(userId: string, projectId: string): string {
  return `EXISTS (SELECT 1 FROM members AS sm WHERE sm.user_id = ${userId} AND sm.removed_at IS NULL AND (
    sm.role IN ('owner', 'manager')
    OR EXISTS (SELECT 1 FROM member_projects AS mp WHERE mp.user_id = sm.user_id AND mp.project_id = ${projectId})
    OR EXISTS (SELECT 1 FROM team_members AS tm WHERE tm.user_id = sm.user_id AND ${teamSees("tm.team_id", projectId)})))`;
}

/** SQL: whether a team sees a project. */
export function teamSees(teamId: string, projectId: string): string {
  return `EXISTS (SELECT 1 FROM teams AS st WHERE st.id = ${teamId} AND (st.has_all_projects = 1
    OR EXISTS (SELECT 1 FROM team_projects AS tp WHERE tp.team_id = st.id AND tp.project_id = ${projectId})))`;
}
