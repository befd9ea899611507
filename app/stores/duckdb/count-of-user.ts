import type { UserDataCount } from "../../domain/named-user.ts";
import type { EventDeletion } from "../events/event-deletion.ts";
import { PART_TABLES } from "../events/row-keys.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { toConditionsOfUser } from "./user-parts.ts";

/** See `EventDeletion.countOfUser`. */
export async function countOfUser(
  database: DuckdbDatabase,
  { projectIds, userKeys, ignoresCase, sessionUserIds, named, upTo }: Parameters<EventDeletion["countOfUser"]>[0],
): Promise<UserDataCount[]> {
  if (projectIds.length === 0) return [];
  const counts = new Map<number, UserDataCount>();
  async function add(what: "events" | "items", sql: string, { values }: SqlConditions): Promise<void> {
    for (const row of await database.read(sql, values)) {
      const projectId = Number(row.project_id);
      const count = counts.get(projectId) ?? { projectId, events: 0, items: 0 };
      count[what] += Number(row.rows);
      counts.set(projectId, count);
    }
  }
  const inScope = () => new SqlConditions().addProjects(projectIds).addRange("received_at", null, upTo + 1);
  if (userKeys.length > 0) {
    const events = inScope().addOneOf(ignoresCase ? "lower(user_key)" : "user_key", userKeys);
    const counted = "SELECT project_id::DOUBLE AS project_id, count(*)::DOUBLE AS rows";
    await add("events", `${counted} FROM events WHERE ${events} GROUP BY ALL`, events);
    await add(
      "items",
      `${counted} FROM items WHERE (project_id, event_id_hash) IN (
         SELECT project_id, md5_number_lower(replace(event_id::VARCHAR, '-', '')) FROM events WHERE ${events}
       ) GROUP BY ALL`,
      events,
    );
  }
  if (sessionUserIds.length > 0) {
    const sessions = inScope().addOneOf("user_id", sessionUserIds);
    await add(
      "items",
      `SELECT project_id::DOUBLE AS project_id, count(*)::DOUBLE AS rows FROM sessions WHERE ${sessions} GROUP BY ALL`,
      sessions,
    );
  }
  for (const table of Object.keys(PART_TABLES)) {
    const parts = toConditionsOfUser({ projectIds, user: named, upTo });
    await add(
      "items",
      `SELECT project_id::DOUBLE AS project_id, count(*)::DOUBLE AS rows
       FROM ${table} WHERE ${parts}${table === "spans" ? " AND category <> 'transaction'" : ""} GROUP BY ALL`,
      parts,
    );
  }
  return [...counts.values()].filter(({ events, items }) => events + items > 0);
}
