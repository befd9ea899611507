import { toDay } from "../../../domain/time.ts";
import type { ArchiveStore, ReturnedIssue } from "../../state/archive-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addToOutbox } from "../notifications/outbox.ts";
import { deleteArchive, renewOldBounds } from "./archives.ts";
import { addActivity } from "./issue-status.ts";

export function createArchiveStore(db: SqliteConnection): ArchiveStore {
  return {
    endArchives: async (now, limit) => {
      // A read first, because it does not wait for writers: usually no archive has ended.
      if (listDue(db, now, 1).length === 0) return { issues: [], hasMore: false };
      return db.write(() => {
        const due = listDue(db, now, limit);
        const issues = due.filter(({ status }) => status === "archived");
        for (const { issueId } of due) deleteArchive(db, issueId);
        for (const issue of issues) reopen(db, issue, now);
        return {
          issues: issues.map(({ issueId, projectId }) => ({ issueId, projectId })),
          hasMore: due.length === limit,
        };
      });
    },
    renewBounds: async (now, limit) => {
      const day = toDay(now);
      const old = db.get("SELECT 1 FROM issue_archives WHERE bounds_day < :day LIMIT 1", { day });
      return old === undefined ? 0 : await db.write(() => renewOldBounds(db, day, limit));
    },
  };
}

type DueArchive = ReturnedIssue & { status: string; until: number };

/** The archives whose time is over. They include issues that have another status by now. */
function listDue(db: SqliteConnection, now: number, limit: number): DueArchive[] {
  return db.all<DueArchive>(
    `SELECT a.issue_id AS issueId, i.project_id AS projectId, i.status, a.until
     FROM issue_archives AS a CROSS JOIN issues AS i ON i.id = a.issue_id
     WHERE a.until <= :now ORDER BY a.until LIMIT :limit`,
    { now, limit },
  );
}

function reopen(db: SqliteConnection, { issueId, projectId, until }: DueArchive, now: number): void {
  const at = Math.floor(now);
  db.run(
    `UPDATE issues SET status = 'unresolved', substatus = 'ongoing', status_changed_at = :at WHERE id = :issueId`,
    { issueId, at },
  );
  const archive = { kind: "until", until };
  addActivity(db, { issueId, at, kind: "reopened", userId: null, data: { archive } });
  addToOutbox(db, [{ transition: "regressed", projectId, issueId, eventId: "", at, release: null, told: null }]);
}
