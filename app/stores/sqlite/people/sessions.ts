import { asFields } from "../../sql/columns.ts";
import type { Session } from "../../state/people-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** Characters of the hash of a token by which a session is named. */
const ID_LENGTH = 16;
const MAX_LISTED = 1_000;

export function createSession(
  db: SqliteConnection,
  session: {
    tokenHash: string;
    userId: number;
    createdAt: number;
    expiresAt: number;
    userAgent: string | null;
    providerId?: number | null;
  },
): void {
  db.run(
    `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, user_agent, provider_id)
     VALUES (:tokenHash, :userId, :createdAt, :expiresAt, :userAgent, :providerId)`,
    { ...session, providerId: session.providerId ?? null },
  );
}

export function getSession(
  db: SqliteConnection,
  tokenHash: string,
  now: number,
): { userId: number; expiresAt: number; providerId: number | null } | null {
  const row = db.get<{ userId: number; expiresAt: number; providerId: number | null }>(
    `SELECT ${asFields("user_id, expires_at, provider_id")} FROM sessions WHERE token_hash = :tokenHash AND expires_at > :now`,
    { tokenHash, now },
  );
  return row ?? null;
}

export function extendSession(db: SqliteConnection, tokenHash: string, expiresAt: number): void {
  db.run("UPDATE sessions SET expires_at = :expiresAt WHERE token_hash = :tokenHash", { tokenHash, expiresAt });
}

export function deleteSession(db: SqliteConnection, tokenHash: string): void {
  db.run("DELETE FROM sessions WHERE token_hash = :tokenHash", { tokenHash });
}

export function deleteOtherSessions(db: SqliteConnection, userId: number, keptTokenHash: string): number {
  return db.run("DELETE FROM sessions WHERE user_id = :userId AND token_hash <> :keptTokenHash", {
    userId,
    keptTokenHash,
  }).changedRows;
}

export function deleteExpiredSessions(db: SqliteConnection, now: number): number {
  return db.run("DELETE FROM sessions WHERE expires_at <= :now", { now }).changedRows;
}

export function listSessions(db: SqliteConnection, userId: number | null, now: number): Session[] {
  return db.all<Session>(
    `SELECT substr(token_hash, 1, ${ID_LENGTH}) AS id, ${asFields("user_id, created_at, expires_at, user_agent")} FROM sessions
     WHERE expires_at > :now AND (:userId IS NULL OR user_id = :userId)
     ORDER BY expires_at DESC, created_at DESC, token_hash LIMIT ${MAX_LISTED}`,
    { userId, now },
  );
}

export function endSession(db: SqliteConnection, userId: number, sessionId: string): boolean {
  const { changedRows } = db.run(
    `DELETE FROM sessions WHERE user_id = :userId AND substr(token_hash, 1, ${ID_LENGTH}) = :sessionId`,
    { userId, sessionId },
  );
  return changedRows > 0;
}
