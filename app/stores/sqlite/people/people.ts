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

const MAX_LISTED = 1_000;

export function listUsers(db: SqliteConnection): User[] {
  return db.all<UserRow>(`SELECT ${USER_COLUMNS} FROM users ORDER BY id LIMIT ${MAX_LISTED}`).map(toUser);
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

/** Within a write transaction. */
export function changeProfile(
  db: SqliteConnection,
  userId: number,
  { name, email }: { name: string; email: string },
): boolean {
  const emailKey = toEmailKey(email);
  const other = db.get("SELECT 1 FROM users WHERE email_key = :emailKey AND id <> :userId", { emailKey, userId });
  if (other !== undefined) return false;
  db.run("UPDATE users SET name = :name, email = :email, email_key = :emailKey WHERE id = :userId", {
    userId,
    name,
    email: email.trim(),
    emailKey,
  });
  return true;
}

/** Within a write transaction. */
export function makeOwner(db: SqliteConnection, userId: number): boolean {
  if (getUser(db, userId) === null) return false;
  db.run("UPDATE users SET role = 'member', project_ids = NULL WHERE role = 'owner' AND id <> :userId", { userId });
  db.run("UPDATE users SET role = 'owner', project_ids = NULL WHERE id = :userId", { userId });
  return true;
}
