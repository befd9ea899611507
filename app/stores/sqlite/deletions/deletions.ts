import { includesProject } from "../../../domain/scope.ts";
import { asFields } from "../../sql/columns.ts";
import type { DeletionRow, DeletionStore, UserScan } from "../../state/deletion-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { dropFeedbackOfUser } from "../feedback/drop-feedback.ts";
import { dropExamples } from "../rules/filtered-examples.ts";
import { deleteIssues, insertDeletion, noteDeletion } from "./delete-issues.ts";
import { deleteProject } from "./delete-project.ts";

const MAX_LISTED = 200;

export function createDeletionStore(db: SqliteConnection): DeletionStore {
  return {
    deleteIssues: (scope, request) => db.erase(() => deleteIssues(db, scope, request)),
    deleteEvents: async (scope, { projectId, eventIds, issueId, ...request }) => {
      if (!includesProject(scope, projectId) || eventIds.length === 0) return false;
      const target = { kind: "events" as const, projectId, eventIds: [...eventIds], issueId };
      await db.write(() => {
        const id = insertDeletion(db, { ...request, kind: "event", projectId, target });
        noteDeletion(db, { kind: "event", id, name: request.label });
      });
      return true;
    },
    deleteProject: (scope, request) => db.erase(() => deleteProject(db, scope, request)),
    deleteUser: (scope, { user, ...request }) =>
      db.erase(() => {
        const projectIds = [...scope.projectIds];
        const target = { kind: "user" as const, projectIds, user };
        dropExamples(db, projectIds);
        dropFeedbackOfUser(db, projectIds, user);
        const [projectId = null, ...others] = projectIds;
        const id = insertDeletion(db, {
          ...request,
          kind: "user",
          projectId: others.length > 0 ? null : projectId,
          target,
        });
        // The entry does not name the user, whose data must not stay in the log.
        noteDeletion(db, { kind: "user", id, name: `data of a user, deletion ${id}` });
        return id;
      }),
    listDeletions: async (scope, { withProjects, userId = null } = { withProjects: false }) =>
      db
        .all<
          Omit<DeletionRow, "user" | "progress"> & {
            userId: number | null;
            userName: string | null;
            scan: string | null;
          }
        >(
          `SELECT ${COLUMNS}, u.id AS userId, u.name AS userName, d.scan AS scan
           FROM deletions AS d LEFT JOIN users AS u ON u.id = d.user_id
           WHERE d.project_id IN (SELECT value FROM json_each(:projectIds)) 
             OR (:withProjects AND (d.kind = 'project' OR d.project_id IS NULL)) OR d.user_id = :userId
           ORDER BY d.id DESC LIMIT ${MAX_LISTED}`,
          { projectIds: JSON.stringify(scope.projectIds), withProjects: withProjects ? 1 : 0, userId },
        )
        .map(({ userId: by, userName, scan, ...row }) => ({
          ...row,
          user: by === null || userName === null ? null : { id: by, name: userName },
          progress: row.phase === "asked" && scan !== null ? toProgress(JSON.parse(scan)) : null,
        })),
  };
}

function toProgress({ doneRows, totalRows }: UserScan): DeletionRow["progress"] {
  return { doneRows: Math.min(doneRows, totalRows), totalRows };
}

const COLUMNS = asFields(
  "d.id, d.kind, d.label, d.project_id, d.asked_at, d.phase, d.event_count, d.item_count, d.done_at",
);
