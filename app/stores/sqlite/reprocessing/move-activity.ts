import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import type { RegroupingByRules } from "../../../domain/issues/regroup-events.ts";
import type { IssueActivity } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addActivity } from "../issues/issue-status.ts";

/** The person who merged an issue by hand. */
export interface MergedBy {
  userId: number | null;
  mergeId: number;
}

interface NamedIssue {
  issueId: number;
  shortId: string;
}

/**
 * Notes in the activity of both issues that events moved from one to the other, in one row for all of the events. Within a write
 * transaction.
 */
export function noteMove(
  db: SqliteConnection,
  move: {
    from: KnownIssue;
    target: NamedIssue;
    kind: "joined" | "split_off";
    eventCount: number;
    at: number;
    cause?: RegroupingByRules["cause"] | undefined;
  },
): void {
  const { target, eventCount, at, cause } = move;
  const from = { issueId: move.from.id, shortId: move.from.shortId };
  // Later events of an issue that was split off moved in the same way as the first ones.
  const kind = findActivity(db, target.issueId, "split_off", from.issueId) ? "split_off" : move.kind;
  addEvents(db, { issueId: target.issueId, kind, other: from, eventCount, at, cause });
  addEvents(db, { issueId: from.issueId, kind: "moved_away", other: target, eventCount, at, cause });
}

/** Notes that an issue was merged into another, within a write transaction. */
export function noteWholeMove(
  db: SqliteConnection,
  {
    from,
    targetId,
    eventCount,
    at,
    by,
    cause,
  }: {
    from: KnownIssue;
    targetId: number;
    eventCount: number;
    at: number;
    by?: MergedBy;
    cause?: RegroupingByRules["cause"] | undefined;
  },
): void {
  const other = { issueId: from.id, shortId: from.shortId };
  if (by === undefined)
    addEvents(db, { issueId: targetId, kind: "joined", other, eventCount, at, isWhole: true, cause });
  else {
    const data = { ...other, events: eventCount, isWhole: true, mergeId: by.mergeId };
    addActivity(db, { issueId: targetId, at: Math.floor(at), kind: "joined", userId: by.userId, data });
  }
}

/** Moves the activity of a merged issue to the target, where each entry names the merged issue. Within a write transaction. */
export function takeActivity(db: SqliteConnection, { from, targetId }: { from: KnownIssue; targetId: number }): void {
  const ids = { issueId: from.id, targetId };
  db.run("DELETE FROM issue_activity WHERE issue_id = :issueId AND kind = 'moved_away'", { issueId: from.id });
  db.run(
    `UPDATE issue_activity SET issue_id = :targetId,
       data = iif(kind = 'first_seen' OR data ->> 'ofShortId' IS NOT NULL, data, json_set(data, '$.ofShortId', :shortId))
     WHERE issue_id = :issueId`,
    { ...ids, shortId: from.shortId },
  );
  keepEarliestFirstSeen(db, targetId);
}

/** Keeps only the earliest `first_seen`, in the oldest row, because activities are shown in the order of their ids. */
function keepEarliestFirstSeen(db: SqliteConnection, issueId: number): void {
  const [oldest, ...others] = db.all<{ id: number; at: number; data: string }>(
    "SELECT id, at, data FROM issue_activity WHERE issue_id = :issueId AND kind = 'first_seen' ORDER BY id",
    { issueId },
  );
  if (oldest === undefined || others.length === 0) return;
  const { at, data } = others.reduce((earliest, each) => (each.at < earliest.at ? each : earliest), oldest);
  db.run("UPDATE issue_activity SET at = :at, data = :data WHERE id = :id", { id: oldest.id, at, data });
  db.run("DELETE FROM issue_activity WHERE issue_id = :issueId AND kind = 'first_seen' AND id > :id", {
    issueId,
    id: oldest.id,
  });
}

type MoveKind = Extract<IssueActivity["kind"], "joined" | "split_off" | "moved_away">;

function addEvents(
  db: SqliteConnection,
  move: {
    issueId: number;
    kind: MoveKind;
    other: NamedIssue;
    eventCount: number;
    at: number;
    isWhole?: boolean;
    cause?: RegroupingByRules["cause"] | undefined;
  },
): void {
  const { issueId, kind, other, at } = move;
  const known = findActivity(db, issueId, kind, other.issueId);
  const events = (known?.events ?? 0) + move.eventCount;
  const data = {
    ...other,
    events,
    ...(kind === "joined" ? { isWhole: move.isWhole ?? false } : {}),
    // A person decided it, and the events followed.
    ...(known?.mergeId == null ? {} : { mergeId: known.mergeId }),
    ...(move.cause === undefined ? {} : { cause: move.cause }),
  };
  if (known === undefined) addActivity(db, { issueId, at, kind, userId: null, data });
  else {
    db.run("UPDATE issue_activity SET at = :at, data = :data WHERE id = :id", {
      id: known.id,
      at,
      data: JSON.stringify(data),
    });
  }
}

function findActivity(
  db: SqliteConnection,
  issueId: number,
  kind: MoveKind,
  otherIssueId: number,
): { id: number; events: number; mergeId: number | null } | undefined {
  return db.get<{ id: number; events: number; mergeId: number | null }>(
    `SELECT id, data ->> 'events' AS events, data ->> 'mergeId' AS mergeId FROM issue_activity
     WHERE issue_id = :issueId AND kind = :kind AND data ->> 'issueId' = :otherIssueId
     ORDER BY id DESC LIMIT 1`,
    { issueId, kind, otherIssueId },
  );
}

/** The issues to which events of an issue have moved, first move first. */
export function listMoveTargets(db: SqliteConnection, issueId: number): Array<{ issueId: number; eventCount: number }> {
  return db.all<{ issueId: number; eventCount: number }>(
    `SELECT data ->> 'issueId' AS issueId, data ->> 'events' AS eventCount FROM issue_activity
     WHERE issue_id = :issueId AND kind = 'moved_away' ORDER BY id`,
    { issueId },
  );
}
