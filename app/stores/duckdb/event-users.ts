/**
 * SQL of a 48-bit hash of a user's key or name. In one of 300 million searches among a million users, the hash finds a second user, too.
 * The texts would take three times as much.
 */
export function toUserHash(field: "user" | "userName", text: string): string {
  return `(md5_number_lower('${field} ' || ${text}) % 281474976710656)::UBIGINT`;
}

/** SQL of the hashes of an event's user, one per row. */
export const USER_HASHES = `unnest([${toUserHash("user", "nullif(user_key, '')")}, ${toUserHash("userName", "nullif(user_name, '')")}])`;

/**
 * SQL of the rows of `event_users`, sorted by user.
 * @param placed SQL of the events with their places
 */
export function toEventUsers(placed: string): string {
  return `
    SELECT 0 AS version, project_id, user_hash, place::USMALLINT AS place
    FROM (SELECT project_id, place, ${USER_HASHES} AS user_hash FROM (${placed})) WHERE user_hash IS NOT NULL ORDER BY user_hash`;
}
