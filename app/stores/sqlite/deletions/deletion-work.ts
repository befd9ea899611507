import { toDay } from "../../../domain/time.ts";
import type { SelectedEvent, SelectedItem } from "../../events/event-deletion.ts";
import type { RowKey } from "../../events/event-log.ts";
import type { DeletionTarget, DeletionWork, OpenDeletion } from "../../state/deletion-store.ts";
import { updateHeadline } from "../batches/save-issue-changes.ts";
import type { SqliteConnection } from "../connection.ts";
import { dropFeedbackOfEvent, dropFeedbackOfItem } from "../feedback/drop-feedback.ts";
import { loadIssue } from "../issues/load-issues.ts";
import { takeDamaged } from "../outcomes/damaged-items.ts";
import { moveOutcome } from "../outcomes/move-outcome.ts";
import { type ReleaseNaming, takeFromReleases } from "../releases/take-from-releases.ts";
import { purgeIssues } from "./delete-issues.ts";
import { purgeProject } from "./delete-project.ts";
import { listTouched, settleTouched, takeEvents, touchIssuesOfUsers } from "./touched-issues.ts";

export function createDeletionWork(db: SqliteConnection): DeletionWork {
  return {
    listOpen: async (limit) =>
      db
        .all<Omit<OpenDeletion, "target" | "scan"> & { target: string; scan: string | null }>(
          `SELECT id, kind, label, project_id AS projectId, asked_at AS askedAt, phase, event_count AS eventCount,
             item_count AS itemCount, target, scan
           FROM deletions WHERE phase <> 'done' AND target IS NOT NULL
           ORDER BY CASE phase WHEN 'asked' THEN 0 WHEN 'hidden' THEN 1 WHEN 'erasing' THEN 2 ELSE 3 END, id
           LIMIT :limit`,
          { limit },
        )
        .map(({ target, scan, ...row }) => ({
          ...row,
          target: JSON.parse(target),
          scan: scan === null ? null : JSON.parse(scan),
        })),
    noteEvents: (deletionId, events) => db.erase(() => noteEvents(db, deletionId, events)),
    noteItems: (deletionId, items) => db.erase(() => noteItems(db, deletionId, items)),
    saveScan: (deletionId, scan, users) =>
      db.write(() => {
        db.run("UPDATE deletions SET scan = :scan WHERE id = :deletionId", { deletionId, scan: JSON.stringify(scan) });
        if (users !== undefined) touchIssuesOfUsers(db, deletionId, users);
      }),
    listTouched: async (deletionId, limit) => listTouched(db, deletionId, limit),
    settleTouched: (deletionId, issue) => db.erase(() => settleTouched(db, deletionId, issue)),
    noteRows: (deletionId, rows) =>
      db.write(() => {
        db.run("UPDATE deletions SET item_count = item_count + :rows WHERE id = :deletionId", { deletionId, rows });
      }),
    purge: (deletionId, limit) =>
      db.erase(() => {
        const target = readTarget(db, deletionId);
        if (target?.kind === "project") return purgeProject(db, target.projectId, limit);
        return target?.kind === "issues" ? purgeIssues(db, target.issueIds, limit) : 0;
      }),
    showLatest: (issueId, latest) =>
      db.erase(() => {
        const known = loadIssue(db, issueId);
        if (known !== null) updateHeadline(db, known, latest);
      }),
    setPhase: (deletionId, phase) =>
      db.write(() => {
        db.run("UPDATE deletions SET phase = :phase WHERE id = :deletionId", { deletionId, phase });
        // From now on, earlier records cannot be read again.
        if (phase === "swept") db.run("DELETE FROM deleted_hashes WHERE deletion_id = :deletionId", { deletionId });
      }),
    findDeleted: async (keys) => findDeleted(db, keys),
    listDeletedProjects: async () =>
      db
        .all<{ projectId: number }>(
          "SELECT project_id AS projectId FROM deletions WHERE kind = 'project' AND phase <> 'done'",
        )
        .map(({ projectId }) => projectId),
    listDeletedDays: async () =>
      db.all<{ day: number }>("SELECT DISTINCT day FROM deleted_events ORDER BY day").map(({ day }) => day),
    beginErasure: (fileIds) =>
      db.write(() => {
        db.run("UPDATE deletions SET phase = 'erasing' WHERE phase = 'swept'");
        db.run("INSERT OR IGNORE INTO payload_erasures (file_id) SELECT value FROM json_each(:fileIds)", {
          fileIds: JSON.stringify(fileIds),
        });
      }),
    listErasures: async () =>
      db
        .all<{ fileId: number }>("SELECT file_id AS fileId FROM payload_erasures ORDER BY file_id")
        .map(({ fileId }) => fileId),
    endErasure: (fileId) =>
      db.write(() => {
        db.run("DELETE FROM payload_erasures WHERE file_id = :fileId", { fileId });
      }),
    forget: () =>
      db.erase(() => {
        db.run("DELETE FROM deleted_events WHERE deletion_id IN (SELECT id FROM deletions WHERE phase = 'erasing')");
        db.run("UPDATE deletions SET target = NULL, scan = NULL WHERE phase = 'erasing'");
      }),
    countForgotten: async () =>
      db.get<{ count: number }>("SELECT count(*) AS count FROM deletions WHERE phase = 'erasing' AND target IS NULL")
        ?.count ?? 0,
    finish: (at) =>
      db.write(
        () =>
          db.run("UPDATE deletions SET phase = 'done', done_at = :at WHERE phase = 'erasing' AND target IS NULL", {
            at: Math.floor(at),
          }).changedRows,
      ),
  };
}

function readTarget(db: SqliteConnection, deletionId: number): DeletionTarget | null {
  const row = db.get<{ target: string | null }>("SELECT target FROM deletions WHERE id = :deletionId", { deletionId });
  return row?.target ? JSON.parse(row.target) : null;
}

function noteEvents(db: SqliteConnection, deletionId: number, events: readonly SelectedEvent[]): void {
  let [eventCount, itemCount] = [0, 0];
  const occurrences: Array<NonNullable<SelectedEvent["occurrence"]>> = [];
  const namings: ReleaseNaming[] = [];
  for (const { projectId, eventId, occurrence, items } of events) {
    const days = new Set(items.map(({ receivedAt }) => toDay(receivedAt)));
    dropFeedbackOfEvent(db, projectId, eventId);
    if (!noteKey(db, { deletionId, projectId, key: eventId, days })) continue;
    if (occurrence !== null) {
      eventCount++;
      occurrences.push(occurrence);
      if (occurrence.release !== null) namings.push({ projectId, release: occurrence.release });
    }
    for (const [place, item] of items.entries()) {
      if (place > 0 || occurrence === null) itemCount += item.quantity;
      const from = place === 0 ? takeDamaged(db, projectId, eventId) : "accepted";
      moveOutcome(db, { projectId, ...item }, { from, to: "deleted" });
    }
  }
  takeEvents(db, deletionId, occurrences);
  takeFromReleases(db, namings);
  addCounts(db, deletionId, { eventCount, itemCount });
}

function noteItems(db: SqliteConnection, deletionId: number, items: readonly SelectedItem[]): void {
  let itemCount = 0;
  for (const { key, identity, ...item } of items) {
    dropFeedbackOfItem(db, item.projectId, key);
    const noted = { deletionId, projectId: item.projectId, days: new Set([toDay(item.receivedAt)]) };
    // If it is sent again, it is a duplicate.
    if (identity !== null) noteKey(db, { ...noted, key: identity });
    if (!noteKey(db, { ...noted, key })) continue;
    // A span of a transaction counts with its transaction.
    itemCount += item.category === "transaction" ? item.quantity : Math.max(1, item.quantity);
    moveOutcome(db, item, { from: takeDamaged(db, item.projectId, key), to: "deleted" });
  }
  addCounts(db, deletionId, { eventCount: 0, itemCount });
}

/** Notes a deleted event or item. False: it was noted before. */
function noteKey(
  db: SqliteConnection,
  { deletionId, projectId, key, days }: { deletionId: number; projectId: number; key: string; days: Set<number> },
): boolean {
  const known = db.get("SELECT 1 FROM deleted_events WHERE project_id = :projectId AND event_id = :key LIMIT 1", {
    projectId,
    key,
  });
  for (const day of days) {
    db.run(
      `INSERT OR IGNORE INTO deleted_events (project_id, event_id, day, deletion_id)
       VALUES (:projectId, :key, :day, :deletionId)`,
      { projectId, key, day, deletionId },
    );
  }
  return known === undefined;
}

function addCounts(
  db: SqliteConnection,
  deletionId: number,
  { eventCount, itemCount }: { eventCount: number; itemCount: number },
): void {
  db.run(
    `UPDATE deletions SET event_count = event_count + :eventCount, item_count = item_count + :itemCount
     WHERE id = :deletionId`,
    { deletionId, eventCount, itemCount },
  );
}

function findDeleted(db: SqliteConnection, keys: readonly RowKey[]): Set<string> {
  if (keys.length === 0 || db.get("SELECT 1 FROM deleted_events LIMIT 1") === undefined) return new Set();
  return new Set(
    db
      .all<{ projectId: number; eventId: string }>(
        `SELECT DISTINCT d.project_id AS projectId, d.event_id AS eventId
         FROM json_each(:keys) AS asked CROSS JOIN deleted_events AS d
           ON d.project_id = asked.value ->> 0 AND d.event_id = asked.value ->> 1`,
        { keys: JSON.stringify(keys.map(({ projectId, identity }) => [projectId, identity])) },
      )
      .map(({ projectId, eventId }) => `${projectId}:${eventId}`),
  );
}
