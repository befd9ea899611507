import type { ProviderSession } from "../../../domain/people/provider-session.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { PeopleStore, Session } from "../../state/people-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** A session's id is this many first characters of its token's hash. */
const ID_LENGTH = 16;
const MAX_LISTED = 1_000;

export function createSession(
  db: SqliteConnection,
  { providerId = null, renewalToken = null, ...session }: Parameters<PeopleStore["createSession"]>[0],
): void {
  db.run(
    `INSERT INTO sessions
       (token_hash, user_id, created_at, expires_at, user_agent, provider_id, checked_at, renewed_at, renewal_token)
     VALUES (:tokenHash, :userId, :createdAt, :expiresAt, :userAgent, :providerId, :checkedAt, :checkedAt, :renewalToken)`,
    { ...session, providerId, checkedAt: providerId === null ? null : session.createdAt, renewalToken },
  );
}

export function getSession(
  db: SqliteConnection,
  tokenHash: string,
  now: number,
): { userId: number; expiresAt: number; provider: ProviderSession | null } | null {
  const row = db.get<{ userId: number; expiresAt: number } & RowOf<ProviderSession, { id: number | null }>>(
    `SELECT ${asFields("user_id, expires_at, checked_at, renewed_at, renewal_token")}, provider_id AS id,
       (SELECT kind FROM sign_in_providers p WHERE p.id = sessions.provider_id) AS kind,
       (SELECT provider_session_hours FROM organization) AS sessionHours
     FROM sessions WHERE token_hash = :tokenHash AND expires_at > :now`,
    { tokenHash, now },
  );
  if (row === undefined) return null;
  const { userId, expiresAt, id, ...provider } = row;
  return { userId, expiresAt, provider: id === null ? null : { id, ...provider } };
}

export function renewSession(
  db: SqliteConnection,
  tokenHash: string,
  renewal: Parameters<PeopleStore["renewSession"]>[1],
): void {
  db.run(
    `UPDATE sessions SET renewed_at = :renewedAt, renewal_token = :renewalToken,
       checked_at = coalesce(:checkedAt, checked_at) WHERE token_hash = :tokenHash`,
    { tokenHash, ...renewal, checkedAt: renewal.checkedAt ?? null },
  );
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

/** If a provider is required, deletes sessions that did not begin there, except those of owners. */
export function deleteBarredSessions(db: SqliteConnection): void {
  db.run(
    `DELETE FROM sessions WHERE provider_id IS NULL
     AND (SELECT requires_provider FROM organization WHERE id = 1) = 1
     AND user_id NOT IN (SELECT user_id FROM members WHERE role = 'owner' AND removed_at IS NULL)`,
  );
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

export function getSignInOrigin(db: SqliteConnection): string | null {
  return db.get<{ origin: string }>("SELECT origin FROM sign_in_origin")?.origin ?? null;
}

/** Within a write transaction. */
export function saveSignInOrigin(db: SqliteConnection, origin: string): void {
  db.run(
    `INSERT INTO sign_in_origin (id, origin) VALUES (1, :origin)
     ON CONFLICT DO UPDATE SET origin = excluded.origin WHERE origin <> excluded.origin`,
    { origin },
  );
}
