import type { EventFilter } from "../events/error-events.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toEventConditions } from "./event-conditions.ts";

const MAX_KEYS = 100;

/** The latest name of each user, by user key. A user is left out if no name is known, or if the key already contains it. */
export async function nameUsers(
  database: DuckdbDatabase,
  filter: EventFilter,
  userKeys: readonly string[],
): Promise<Map<string, string>> {
  if (filter.projectIds.length === 0 || userKeys.length === 0) return new Map();
  const conditions = toEventConditions(filter).addOneOf("user_key", userKeys.slice(0, MAX_KEYS)).add("user_name <> ''");
  const rows = await database.read(
    `SELECT user_key, arg_max(user_name, (occurred_at, ordinal)) AS user_name FROM events
     WHERE ${conditions} GROUP BY user_key`,
    conditions.values,
  );
  return new Map(rows.map((row) => [String(row.user_key), String(row.user_name)]));
}
