import type { SqliteConnection } from "../connection.ts";

const MAX_PER_USER = 20;

export function isKnownBrowser(
  db: SqliteConnection,
  browser: { tokenHash: string; userId: number; now: number },
): boolean {
  const row = db.get(
    "SELECT 1 FROM known_browsers WHERE token_hash = :tokenHash AND user_id = :userId AND expires_at > :now",
    browser,
  );
  return row !== undefined;
}

/** Within a write transaction. */
export function rememberBrowser(
  db: SqliteConnection,
  { tokenHash, userId, expiresAt }: { tokenHash: string; userId: number; expiresAt: number },
): void {
  db.run(
    `INSERT INTO known_browsers (token_hash, user_id, expires_at) VALUES (:tokenHash, :userId, :expiresAt)
     ON CONFLICT DO UPDATE SET user_id = excluded.user_id, expires_at = excluded.expires_at`,
    { tokenHash, userId, expiresAt },
  );
  db.run(
    `DELETE FROM known_browsers WHERE token_hash IN (
       SELECT token_hash FROM known_browsers WHERE user_id = :userId
       ORDER BY expires_at DESC, token_hash LIMIT -1 OFFSET :maxPerUser)`,
    { userId, maxPerUser: MAX_PER_USER },
  );
}

export function forgetOtherBrowsers(db: SqliteConnection, userId: number, keptTokenHash: string): void {
  db.run("DELETE FROM known_browsers WHERE user_id = :userId AND token_hash <> :keptTokenHash", {
    userId,
    keptTokenHash,
  });
}
