import type { Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";

/** Who can be given projects: the table of the grants, and its column with the id of a holder. */
const HOLDERS = {
  member: { table: "member_projects", column: "user_id" },
  team: { table: "team_projects", column: "team_id" },
} as const;

/** Grants the holder these projects of the scope, and takes away the other projects of the scope. Within a write transaction. */
export function setGrants(
  db: SqliteConnection,
  scope: Scope,
  { holder, id, projectIds }: { holder: keyof typeof HOLDERS; id: number; projectIds: readonly number[] },
): void {
  const { table, column } = HOLDERS[holder];
  const params = { id, wanted: JSON.stringify(projectIds), scope: JSON.stringify(scope.projectIds) };
  db.run(
    `DELETE FROM ${table} WHERE ${column} = :id AND project_id IN (SELECT value FROM json_each(:scope))
     AND project_id NOT IN (SELECT value FROM json_each(:wanted))`,
    params,
  );
  db.run(
    `INSERT INTO ${table} (${column}, project_id)
     SELECT :id, p.id FROM projects p
     WHERE p.id IN (SELECT value FROM json_each(:wanted)) AND p.id IN (SELECT value FROM json_each(:scope))
     ON CONFLICT DO NOTHING`,
    params,
  );
}
