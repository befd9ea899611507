import type { User } from "../../../domain/user.ts";
import type { Organization } from "../../state/people-store.ts";
import type { SqliteConnection } from "../connection.ts";

interface UserRow {
  id: number;
  email: string;
  name: string;
  role: User["role"];
  project_ids: string | null;
  created_at: number;
}

const USER_COLUMNS = "id, email, name, role, project_ids, created_at";

function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    projectIds: row.project_ids === null ? null : JSON.parse(row.project_ids),
    createdAt: row.created_at,
  };
}

function toEmailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function getOrganization(db: SqliteConnection): Organization | null {
  const row = db.get<{ slug: string; name: string; created_at: number }>(
    "SELECT slug, name, created_at FROM organization WHERE id = 1",
  );
  return row ? { slug: row.slug, name: row.name, createdAt: row.created_at } : null;
}

/** Within a write transaction. */
export function saveOrganization(db: SqliteConnection, organization: { slug: string; name: string; at: number }): void {
  db.run(
    `INSERT INTO organization (id, slug, name, created_at) VALUES (1, :slug, :name, :at)
     ON CONFLICT DO UPDATE SET slug = excluded.slug, name = excluded.name`,
    organization,
  );
}

/** Within a write transaction; gives the user's id. */
export function createOwner(
  db: SqliteConnection,
  owner: { email: string; name: string; passwordHash: string; at: number },
): number {
  return db.run(
    `INSERT INTO users (email, email_key, name, role, password_hash, created_at)
     VALUES (:email, :emailKey, :name, 'owner', :passwordHash, :at)`,
    { ...owner, email: owner.email.trim(), emailKey: toEmailKey(owner.email) },
  ).insertedId;
}

/** Within a write transaction; gives the user's id. @throws when somebody has the address. */
export function createMember(
  db: SqliteConnection,
  member: { email: string; name: string; passwordHash: string; projectIds: readonly number[] | null; at: number },
): number {
  return db.run(
    `INSERT INTO users (email, email_key, name, role, password_hash, project_ids, created_at)
     VALUES (:email, :emailKey, :name, 'member', :passwordHash, :projectIds, :at)`,
    {
      ...member,
      email: member.email.trim(),
      emailKey: toEmailKey(member.email),
      projectIds: member.projectIds && JSON.stringify(member.projectIds),
    },
  ).insertedId;
}

export function getUser(db: SqliteConnection, userId: number): User | null {
  const row = db.get<UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE id = :userId`, { userId });
  return row ? toUser(row) : null;
}

export function getOwner(db: SqliteConnection): User | null {
  const row = db.get<UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE role = 'owner'`);
  return row ? toUser(row) : null;
}

export function findCredentials(db: SqliteConnection, email: string): { userId: number; passwordHash: string } | null {
  const row = db.get<{ id: number; password_hash: string }>(
    "SELECT id, password_hash FROM users WHERE email_key = :emailKey",
    { emailKey: toEmailKey(email) },
  );
  return row ? { userId: row.id, passwordHash: row.password_hash } : null;
}

export function changePassword(db: SqliteConnection, userId: number, passwordHash: string): void {
  db.run("UPDATE users SET password_hash = :passwordHash WHERE id = :userId", { userId, passwordHash });
}

export function createSession(
  db: SqliteConnection,
  session: { tokenHash: string; userId: number; createdAt: number; expiresAt: number; userAgent: string | null },
): void {
  db.run(
    `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, user_agent)
     VALUES (:tokenHash, :userId, :createdAt, :expiresAt, :userAgent)`,
    session,
  );
}

export function getSession(
  db: SqliteConnection,
  tokenHash: string,
  now: number,
): { userId: number; expiresAt: number } | null {
  const row = db.get<{ user_id: number; expires_at: number }>(
    "SELECT user_id, expires_at FROM sessions WHERE token_hash = :tokenHash AND expires_at > :now",
    { tokenHash, now },
  );
  return row ? { userId: row.user_id, expiresAt: row.expires_at } : null;
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
