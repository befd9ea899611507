import { nameMember } from "../../../domain/audit/audit-entry.ts";
import type { User } from "../../../domain/user.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { Organization, PeopleStore } from "../../state/people-store.ts";
import { memberTarget } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { setTeams } from "./access.ts";
import { toEmailKey } from "./email-key.ts";
import { endMailedLinks } from "./resets.ts";
import { deleteBarredSessions } from "./sessions.ts";

/** SQL of the users who are members and not removed. */
const USER_SQL = `
  SELECT ${asFields("u.id, u.email, u.name, m.role, u.created_at")}
  FROM users u JOIN members m ON m.user_id = u.id AND m.removed_at IS NULL`;

export function getOrganization(db: SqliteConnection): Organization | null {
  const row = db.get<RowOf<Organization, { requiresSecondFactor: number }>>(
    `SELECT ${asFields("slug, name, created_at, requires_second_factor")} FROM organization WHERE id = 1`,
  );
  return row ? { ...row, requiresSecondFactor: row.requiresSecondFactor === 1 } : null;
}

/** Within a write transaction. */
export function saveOrganization(db: SqliteConnection, organization: { slug: string; name: string; at: number }): void {
  db.run(
    `INSERT INTO organization (id, slug, name, created_at) VALUES (1, :slug, :name, :at)
     ON CONFLICT DO UPDATE SET slug = excluded.slug, name = excluded.name`,
    organization,
  );
}

/**
 * Creates a member within a write transaction. Returns the user's id. A removed member comes back with the given data.
 * @throws when a member has the address.
 */
export function createMember(
  db: SqliteConnection,
  { role, projectIds, teamIds, at, ...account }: Parameters<PeopleStore["createMember"]>[0],
): number {
  const userId = saveAccount(db, { ...account, at });
  db.run("DELETE FROM members WHERE user_id = :userId", { userId });
  db.run("INSERT INTO members (user_id, role, joined_at) VALUES (:userId, :role, :at)", { userId, role, at });
  db.run(
    `INSERT INTO member_projects (user_id, project_id)
     SELECT :userId, id FROM projects WHERE id IN (SELECT value FROM json_each(:projectIds))`,
    { userId, projectIds: JSON.stringify(projectIds) },
  );
  setTeams(db, userId, teamIds);
  return userId;
}

/** Creates a member who was not invited, and notes it in the audit log. */
export function addMember(db: SqliteConnection, member: Parameters<PeopleStore["createMember"]>[0]): number {
  const userId = createMember(db, member);
  db.note({ action: "member.add", target: memberTarget(db, userId), after: { role: member.role } });
  return userId;
}

function saveAccount(
  db: SqliteConnection,
  account: { email: string; name: string; passwordHash: string; at: number },
): number {
  const emailKey = toEmailKey(account.email);
  const email = account.email.trim();
  const former = db.get<{ id: number }>(
    `SELECT u.id FROM users u LEFT JOIN members m ON m.user_id = u.id
     WHERE u.email_key = :emailKey AND (m.user_id IS NULL OR m.removed_at IS NOT NULL)`,
    { emailKey },
  );
  if (former === undefined)
    return db.run(
      `INSERT INTO users (email, email_key, name, password_hash, created_at)
       VALUES (:email, :emailKey, :name, :passwordHash, :at)`,
      { ...account, email, emailKey },
    ).insertedId;
  const { name, passwordHash } = account;
  db.run("UPDATE users SET email = :email, name = :name, password_hash = :passwordHash WHERE id = :id", {
    id: former.id,
    email,
    name,
    passwordHash,
  });
  db.run("DELETE FROM api_tokens WHERE user_id = :id AND kind = 'personal'", { id: former.id });
  for (const table of ["second_factors", "passkeys", "provider_identities", "password_resets", "email_changes"])
    db.run(`DELETE FROM ${table} WHERE user_id = :id`, { id: former.id });
  return former.id;
}

export function getUser(db: SqliteConnection, userId: number): User | null {
  return db.get<User>(`${USER_SQL} WHERE u.id = :userId`, { userId }) ?? null;
}

const MAX_LISTED = 1_000;

export function listUsers(db: SqliteConnection): User[] {
  return db.all<User>(`${USER_SQL} ORDER BY u.id LIMIT ${MAX_LISTED}`);
}

export function getOwner(db: SqliteConnection): User | null {
  return db.get<User>(`${USER_SQL} WHERE m.role = 'owner' ORDER BY m.joined_at, u.id LIMIT 1`) ?? null;
}

export function countOwners(db: SqliteConnection): number {
  const sql = "SELECT count(*) AS count FROM members WHERE role = 'owner' AND removed_at IS NULL";
  return db.get<{ count: number }>(sql)?.count ?? 0;
}

export function findCredentials(db: SqliteConnection, email: string): { userId: number; passwordHash: string } | null {
  const row = db.get<{ userId: number; passwordHash: string }>(
    `SELECT u.id AS userId, u.password_hash AS passwordHash
     FROM users u JOIN members m ON m.user_id = u.id AND m.removed_at IS NULL WHERE u.email_key = :emailKey`,
    { emailKey: toEmailKey(email) },
  );
  return row ?? null;
}

/** Within a write transaction. */
export function changePassword(db: SqliteConnection, userId: number, passwordHash: string): void {
  db.run("UPDATE users SET password_hash = :passwordHash WHERE id = :userId", { userId, passwordHash });
  endMailedLinks(db, userId);
  db.note({ action: "password.change", target: memberTarget(db, userId) });
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
  const target = memberTarget(db, userId);
  db.run("UPDATE users SET name = :name, email = :email, email_key = :emailKey WHERE id = :userId", {
    userId,
    name,
    email: email.trim(),
    emailKey,
  });
  db.note({
    action: "profile.edit",
    target,
    before: { member: target.name },
    after: { member: nameMember({ name, email: email.trim() }) },
  });
  return true;
}

/** Within a write transaction. */
export function makeOwner(db: SqliteConnection, userId: number): boolean {
  const before = getUser(db, userId);
  if (before === null) return false;
  db.run("UPDATE members SET role = 'manager' WHERE role = 'owner' AND user_id <> :userId", { userId });
  db.run("UPDATE members SET role = 'owner' WHERE user_id = :userId", { userId });
  deleteBarredSessions(db);
  db.note({
    action: "member.make-owner",
    target: memberTarget(db, userId),
    after: { role: "owner", was: before.role },
  });
  return true;
}
