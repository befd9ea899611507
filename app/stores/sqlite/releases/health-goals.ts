import { DEFAULT_HEALTH_GOAL, type HealthGoal } from "../../../domain/releases/release-health.ts";
import { includesProject } from "../../../domain/scope.ts";
import type { HealthStore } from "../../state/health-store.ts";
import type { SqliteConnection } from "../connection.ts";

export function createHealthStore(db: SqliteConnection): HealthStore {
  return {
    listGoals: async ({ projectIds }) => {
      const rows = db.all<HealthGoal & { projectId: number }>(
        `SELECT project_id AS projectId, target, floor FROM health_goals
         WHERE project_id IN (SELECT value FROM json_each(:projectIds))`,
        { projectIds: JSON.stringify(projectIds) },
      );
      const set = new Map(rows.map(({ projectId, target, floor }) => [projectId, { target, floor }]));
      return new Map(projectIds.map((id) => [id, set.get(id) ?? DEFAULT_HEALTH_GOAL]));
    },
    setGoal: (scope, projectId, goal) =>
      db.write(() => {
        const project = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId });
        if (project === undefined || !includesProject(scope, projectId)) return false;
        const before = db.get<HealthGoal>("SELECT target, floor FROM health_goals WHERE project_id = :projectId", {
          projectId,
        });
        db.note({
          action: "project.edit",
          target: { kind: "project", id: projectId, name: project.slug },
          before: toFields(before ?? DEFAULT_HEALTH_GOAL),
          after: toFields(goal ?? DEFAULT_HEALTH_GOAL),
        });
        db.run("DELETE FROM health_goals WHERE project_id = :projectId", { projectId });
        if (goal !== null)
          db.run("INSERT INTO health_goals (project_id, target, floor) VALUES (:projectId, :target, :floor)", {
            projectId,
            ...goal,
          });
        return true;
      }),
  };
}

function toFields({ target, floor }: HealthGoal) {
  return { "crash-free target": target, "crash-free floor": floor };
}
