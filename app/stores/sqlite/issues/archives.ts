import type { ArchiveProgress, ArchiveRule, KnownArchive } from "../../../domain/issues/archive-rule.ts";
import {
  computeEscalationBounds,
  type EscalationBounds,
  type EscalationHistory,
  toHistoryStart,
} from "../../../domain/issues/escalation.ts";
import { DAY_MS, toEndHour } from "../../../domain/time.ts";
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

const ARCHIVE_FIELDS = asFields("kind, until, count, window_minutes, seen");

export function toArchiveRule({
  kind,
  until,
  count,
  windowMinutes,
}: Pick<ArchiveRow, "kind" | "until" | "count" | "windowMinutes">): ArchiveRule {
  if (kind === "escalates") return { kind };
  return kind === "until" ? { kind, until: until ?? 0 } : { kind, count: count ?? 0, windowMinutes };
}

/** The rule of the issue's last archive, whatever its present status is. */
export function loadArchiveRule(db: SqliteConnection, issueId: number): ArchiveRule | null {
  const row = db.get<ArchiveRow>(`SELECT ${ARCHIVE_FIELDS} FROM issue_archives WHERE issue_id = :issueId`, { issueId });
  return row === undefined ? null : toArchiveRule(row);
}

/**
 * The archives of archived issues that events may reopen, by issue. `listUserKeys` is called for rules that count users. Bounds of an
 * earlier day than `toToday` returns are computed again.
 */
export function loadArchives(
  db: SqliteConnection,
  archivedIds: readonly number[],
  { listUserKeys, toToday }: { listUserKeys: () => string[]; toToday: () => number },
): Map<number, KnownArchive> {
  if (archivedIds.length === 0) return new Map();
  const rows = db.all<ArchiveRow & { issueId: number; recent: string; bounds: string | null }>(
    `SELECT issue_id AS issueId, ${ARCHIVE_FIELDS}, recent, bounds
     FROM json_each(:issueIds) AS asked CROSS JOIN issue_archives ON issue_id = asked.value
     WHERE kind <> 'until'`,
    { issueIds: JSON.stringify(archivedIds) },
  );
  const countUsers = rows.filter(({ kind, windowMinutes }) => kind === "users" && windowMinutes === null);
  const hashes = new Map((countUsers.length === 0 ? [] : listUserKeys()).map((key) => [key, toUserHash(key)]));
  return new Map(
    rows.map(({ issueId, recent, bounds, ...row }): [number, KnownArchive] => {
      const users = countUsers.some((one) => one.issueId === issueId) ? loadUsers(db, issueId, hashes) : NO_USERS;
      return [
        issueId,
        {
          rule: toArchiveRule(row),
          progress: { seen: row.seen, recent: JSON.parse(recent) },
          bounds:
            bounds === null ? undefined : renewBounds(db, issueId, { stored: JSON.parse(bounds), day: toToday() }),
          hasUser: (userKey) => users.has(userKey),
          toUserId: (userKey) => toUserHash(userKey).toString(36),
        },
      ];
    }),
  );
}

const NO_USERS: ReadonlySet<string> = new Set();

/** Which of the users the issue has already counted. */
function loadUsers(db: SqliteConnection, issueId: number, hashes: ReadonlyMap<string, bigint>): Set<string> {
  const keys = [...hashes.keys()];
  const known = db.all<{ index: number }>(
    `SELECT asked.key AS "index"
     FROM json_each(:hashes) AS asked CROSS JOIN issue_users AS u ON u.issue_id = :issueId AND u.user_hash = asked.value`,
    // The JSON is written by hand, because JSON.stringify does not accept a bigint.
    { issueId, hashes: `[${[...hashes.values()].join(",")}]` },
  );
  return new Set(known.map(({ index }) => keys[index] ?? ""));
}

/** Starts an archive at the present counts, within a write transaction. */
export function saveArchive(db: SqliteConnection, issueId: number, rule: ArchiveRule | null, at: number): void {
  deleteArchive(db, issueId);
  if (rule === null) return;
  const count = "count" in rule ? rule : null;
  db.run(
    `INSERT INTO issue_archives (issue_id, kind, until, count, window_minutes)
     VALUES (:issueId, :kind, :until, :count, :windowMinutes)`,
    {
      issueId,
      kind: rule.kind,
      until: rule.kind === "until" ? rule.until : null,
      count: count?.count ?? null,
      windowMinutes: count?.windowMinutes ?? null,
    },
  );
  if (rule.kind === "escalates")
    saveBounds(db, issueId, computeEscalationBounds(loadEscalationHistory(db, issueId, at), at));
}

/** Within a write transaction. */
export function saveArchiveProgress(
  db: SqliteConnection,
  issueId: number,
  { progress: { seen, recent }, bounds }: { progress: ArchiveProgress; bounds?: EscalationBounds | undefined },
): void {
  db.run("UPDATE issue_archives SET seen = :seen, recent = :recent WHERE issue_id = :issueId", {
    issueId,
    seen,
    recent: JSON.stringify(recent),
  });
  if (bounds) saveBounds(db, issueId, bounds);
}

/**
 * Computes old bounds again, also for issues without events, so that pages show those of today. At most `limit`; returns how many. Within a
 * write transaction.
 */
export function renewOldBounds(db: SqliteConnection, day: number, limit: number): number {
  const old = db.all<{ issueId: number; bounds: string }>(
    `SELECT issue_id AS issueId, bounds FROM issue_archives INDEXED BY issue_archives_bounds
     WHERE bounds_day < :day ORDER BY bounds_day LIMIT :limit`,
    { day, limit },
  );
  for (const { issueId, bounds } of old)
    saveBounds(db, issueId, renewBounds(db, issueId, { stored: JSON.parse(bounds), day }));
  return old.length;
}

function saveBounds(db: SqliteConnection, issueId: number, bounds: EscalationBounds): void {
  db.run("UPDATE issue_archives SET bounds = :bounds, bounds_day = :day WHERE issue_id = :issueId", {
    issueId,
    bounds: JSON.stringify(bounds),
    day: bounds.day,
  });
}

/** The bounds of the day: the stored ones, or new ones. */
function renewBounds(
  db: SqliteConnection,
  issueId: number,
  { stored, day }: { stored: EscalationBounds; day: number },
): EscalationBounds {
  if (stored.day >= day) return stored;
  const at = day * DAY_MS;
  return computeEscalationBounds(loadEscalationHistory(db, issueId, at), at, stored);
}

/** The history over all environments. */
function loadEscalationHistory(db: SqliteConnection, issueId: number, at: number): EscalationHistory {
  const issue = db.get<{ firstSeenAt: number }>("SELECT first_seen_at AS firstSeenAt FROM issues WHERE id = :issueId", {
    issueId,
  });
  const hours = db.all<{ hour: number; count: number }>(
    `SELECT hour, sum(event_count) AS count FROM issue_hours
     WHERE issue_id = :issueId AND hour >= :from AND hour < :end GROUP BY hour`,
    { issueId, from: toHistoryStart(at), end: toEndHour(at) },
  );
  return { firstSeenAt: issue?.firstSeenAt ?? at, hours: hours.map(({ hour, count }) => [hour, count] as const) };
}

/** Within a write transaction. */
export function deleteArchive(db: SqliteConnection, issueId: number): void {
  db.run("DELETE FROM issue_archives WHERE issue_id = :issueId", { issueId });
}

/** Copies the archive of one issue to another, within a write transaction. */
export function copyArchive(db: SqliteConnection, fromIssueId: number, toIssueId: number): void {
  db.run(
    `INSERT OR REPLACE INTO issue_archives (issue_id, kind, until, count, window_minutes, seen, recent, bounds, bounds_day)
     SELECT :toIssueId, kind, until, count, window_minutes, seen, recent, bounds, bounds_day FROM issue_archives
     WHERE issue_id = :fromIssueId`,
    { toIssueId, fromIssueId },
  );
}
