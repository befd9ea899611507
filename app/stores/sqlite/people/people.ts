import type { User } from "../../../domain/user.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { Organization } from "../../state/people-store.ts";
import type { SqliteConnection } from "../connection.ts";

type UserRow = RowOf<User, { projectIds: string | null }>;

const USER_COLUMNS = asFields("id, email, name, role, project_ids, created_at");

function toUser(row: UserRow): User {
  return { ...row, projectIds: row.projectIds && JSON.parse(row.projectIds) };
}

function toEmailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function getOrganization(db: SqliteConnection): Organization | null {
  return db.get<Organization>("SELECT slug, name, created_at AS createdAt FROM organization WHERE id = 1") ?? null;
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
  const row = db.get<{ userId: number; passwordHash: string }>(
    "SELECT id AS userId, password_hash AS passwordHash FROM users WHERE email_key = :emailKey",
    { emailKey: toEmailKey(email) },
  );
  return row ?? null;
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
  const row = db.get<{ userId: number; expiresAt: number }>(
    `SELECT ${asFields("user_id, expires_at")} FROM sessions WHERE token_hash = :tokenHash AND expires_at > :now`,
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
