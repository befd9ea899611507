import type { ArchiveProgress, ArchiveRule, KnownArchive } from "../../../domain/issues/archive-rule.ts";
import { asFields } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { toUserHash } from "./user-hash.ts";

export interface ArchiveRow {
  kind: ArchiveRule["kind"];
  until: number | null;
  count: number | null;
  windowMinutes: number | null;
  seen: number;
}

export const ARCHIVE_FIELDS = asFields("kind, until, count, window_minutes, seen");

export function toArchiveRule({ kind, until, count, windowMinutes }: ArchiveRow): ArchiveRule {
  return kind === "until" ? { kind, until: until ?? 0 } : { kind, count: count ?? 0, windowMinutes };
}

/** The rule of the issue's last archive, whatever its status is now. */
export function loadArchiveRule(db: SqliteConnection, issueId: number): ArchiveRule | null {
  const row = db.get<ArchiveRow>(`SELECT ${ARCHIVE_FIELDS} FROM issue_archives WHERE issue_id = :issueId`, { issueId });
  return row === undefined ? null : toArchiveRule(row);
}

/** By issue: those of the archived issues that events may bring back. `listUserKeys` is asked where rules count users. */
export function loadArchives(
  db: SqliteConnection,
  archivedIds: readonly number[],
  listUserKeys: () => string[],
): Map<number, KnownArchive> {
  if (archivedIds.length === 0) return new Map();
  const rows = db.all<ArchiveRow & { issueId: number; recent: string }>(
    `SELECT issue_id AS issueId, ${ARCHIVE_FIELDS}, recent
     FROM json_each(:issueIds) AS asked CROSS JOIN issue_archives ON issue_id = asked.value
     WHERE kind <> 'until'`,
    { issueIds: JSON.stringify(archivedIds) },
  );
  const countUsers = rows.filter(({ kind, windowMinutes }) => kind === "users" && windowMinutes === null);
  const hashes = new Map((countUsers.length === 0 ? [] : listUserKeys()).map((key) => [key, toUserHash(key)]));
  return new Map(
    rows.map(({ issueId, recent, ...row }): [number, KnownArchive] => {
      const users = countUsers.some((one) => one.issueId === issueId) ? loadUsers(db, issueId, hashes) : NO_USERS;
      return [
        issueId,
        {
          rule: toArchiveRule(row),
          progress: { seen: row.seen, recent: JSON.parse(recent) },
          hasUser: (userKey) => users.has(userKey),
          toUserId: (userKey) => toUserHash(userKey).toString(36),
        },
      ];
    }),
  );
}

const NO_USERS: ReadonlySet<string> = new Set();

/** Those of the users that the issue has. */
function loadUsers(db: SqliteConnection, issueId: number, hashes: ReadonlyMap<string, bigint>): Set<string> {
  const keys = [...hashes.keys()];
  const known = db.all<{ index: number }>(
    `SELECT asked.key AS "index"
     FROM json_each(:hashes) AS asked CROSS JOIN issue_users AS u ON u.issue_id = :issueId AND u.user_hash = asked.value`,
    // By hand, because JSON.stringify takes no bigint.
    { issueId, hashes: `[${[...hashes.values()].join(",")}]` },
  );
  return new Set(known.map(({ index }) => keys[index] ?? ""));
}

/** Within a write transaction: what has come until now is not counted. */
export function saveArchive(db: SqliteConnection, issueId: number, rule: ArchiveRule | null): void {
  deleteArchive(db, issueId);
  if (rule === null) return;
  const isUntil = rule.kind === "until";
  db.run(
    `INSERT INTO issue_archives (issue_id, kind, until, count, window_minutes)
     VALUES (:issueId, :kind, :until, :count, :windowMinutes)`,
    {
      issueId,
      kind: rule.kind,
      until: isUntil ? rule.until : null,
      count: isUntil ? null : rule.count,
      windowMinutes: isUntil ? null : rule.windowMinutes,
    },
  );
}

/** Within a write transaction. */
export function saveArchiveProgress(db: SqliteConnection, issueId: number, { seen, recent }: ArchiveProgress): void {
  db.run("UPDATE issue_archives SET seen = :seen, recent = :recent WHERE issue_id = :issueId", {
    issueId,
    seen,
    recent: JSON.stringify(recent),
  });
}

/** Within a write transaction. */
export function deleteArchive(db: SqliteConnection, issueId: number): void {
  db.run("DELETE FROM issue_archives WHERE issue_id = :issueId", { issueId });
}

/** Within a write transaction: one issue comes back as another one does. */
export function copyArchive(db: SqliteConnection, fromIssueId: number, toIssueId: number): void {
  db.run(
    `INSERT OR REPLACE INTO issue_archives (issue_id, kind, until, count, window_minutes, seen, recent)
     SELECT :toIssueId, kind, until, count, window_minutes, seen, recent FROM issue_archives
     WHERE issue_id = :fromIssueId`,
    { toIssueId, fromIssueId },
  );
}
