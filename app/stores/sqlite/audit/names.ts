import { type AuditTarget, nameMember } from "../../../domain/audit/audit-entry.ts";
import type { SqliteConnection } from "../connection.ts";

/** The target of an audit entry about a member, also one who was removed. */
export function memberTarget(db: SqliteConnection, userId: number): AuditTarget {
  const user = db.get<{ name: string; email: string }>("SELECT name, email FROM users WHERE id = :userId", { userId });
  return { kind: "member", id: userId, name: user ? nameMember(user) : `member ${userId}` };
}

/** Slugs, in their order. */
export function nameTeams(db: SqliteConnection, teamIds: readonly number[]): string[] {
  return slugsOf(db, "teams", teamIds);
}

/** Slugs, in their order. */
export function nameProjects(db: SqliteConnection, projectIds: readonly number[]): string[] {
  return slugsOf(db, "projects", projectIds);
}

/** `Name <address>`, in their order. */
export function nameMembers(db: SqliteConnection, userIds: readonly number[]): string[] {
  return db
    .all<{ name: string; email: string }>(
      "SELECT name, email FROM users WHERE id IN (SELECT value FROM json_each(:userIds)) ORDER BY email",
      { userIds: JSON.stringify(userIds) },
    )
    .map(nameMember);
}

function slugsOf(db: SqliteConnection, table: "teams" | "projects", ids: readonly number[]): string[] {
  return db
    .all<{ slug: string }>(`SELECT slug FROM ${table} WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY slug`, {
      ids: JSON.stringify(ids),
    })
    .map(({ slug }) => slug);
}
