import { includesProject } from "../../../domain/scope.ts";
import { asFields } from "../../sql/columns.ts";
import type { DeletionRow, DeletionStore } from "../../state/deletion-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { deleteIssues, insertDeletion } from "./delete-issues.ts";
import { deleteProject } from "./delete-project.ts";

const MAX_LISTED = 200;

export function createDeletionStore(db: SqliteConnection): DeletionStore {
  return {
    deleteIssues: (scope, request) => db.erase(() => deleteIssues(db, scope, request)),
    deleteEvents: async (scope, { projectId, eventIds, issueId, ...request }) => {
      if (!includesProject(scope, projectId) || eventIds.length === 0) return false;
      const target = { kind: "events" as const, projectId, eventIds: [...eventIds], issueId };
      await db.write(() => insertDeletion(db, { ...request, kind: "event", projectId, target }));
      return true;
    },
    deleteProject: (scope, request) => db.erase(() => deleteProject(db, scope, request)),
    listDeletions: async (scope, { withProjects } = { withProjects: false }) =>
      db
        .all<Omit<DeletionRow, "user"> & { userId: number | null; userName: string | null }>(
          `SELECT ${COLUMNS}, u.id AS userId, u.name AS userName
           FROM deletions AS d LEFT JOIN users AS u ON u.id = d.user_id
           WHERE d.project_id IN (SELECT value FROM json_each(:projectIds)) OR (:withProjects AND d.kind = 'project')
           ORDER BY d.id DESC LIMIT ${MAX_LISTED}`,
          { projectIds: JSON.stringify(scope.projectIds), withProjects: withProjects ? 1 : 0 },
        )
        .map(({ userId, userName, ...row }) => ({
          ...row,
          user: userId === null || userName === null ? null : { id: userId, name: userName },
        })),
  };
}

const COLUMNS = asFields(
  "d.id, d.kind, d.label, d.project_id, d.asked_at, d.phase, d.event_count, d.item_count, d.done_at",
);
