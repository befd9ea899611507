import type { RegroupedEvents, Regrouping, RegroupingResult } from "../../state/reprocessing-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { loadIssue } from "../issues/load-issues.ts";
import { noteEventMoves, readEventMoves } from "./event-moves.ts";
import { findMainTarget, mergeIssue } from "./merge-issue.ts";
import { findMergeTarget } from "./merged-issues.ts";
import { findTarget, RegroupedGroup } from "./regrouped-group.ts";

/** Within a write transaction. */
export function regroupEvents(db: SqliteConnection, change: Regrouping): RegroupingResult {
  const from = loadIssue(db, change.fromIssueId);
  if (from === null) return answerForMerged(db, change);
  const moved = readEventMoves(db, from.projectId, change);
  const answers = new Map(moved);
  const groups = withoutKnownEvents(change.groups, moved);
  const staying = groups.filter((group) => findTarget(db, from.projectId, group)?.issueId === from.id);
  const total = groups.reduce((sum, group) => sum + group.events.length, 0);
  const mayEmpty = staying.length === 0 && (change.isComplete === true || total >= countEvents(db, from.id));
  let mayKeep = mayEmpty || !hasRegroupedHash(db, from.id);
  let isKept = staying.length > 0;

  const issues: RegroupingResult["issues"] = [];
  // The largest first, because it is the one that may keep the issue.
  for (const group of groups.toSorted((a, b) => b.events.length - a.events.length)) {
    const known = findTarget(db, from.projectId, group);
    const keeps = known === null && mayKeep;
    if (keeps) mayKeep = false;
    const regrouped = new RegroupedGroup(db, { from, group, at: change.at });
    const isStaying = keeps || known?.issueId === from.id;
    const result = isStaying ? regrouped.keep(keeps) : regrouped.move(known);
    isKept ||= isStaying;
    for (const { eventId } of group.events) answers.set(eventId, result.issueId);
    if (!isStaying || keeps) issues.push(result);
  }

  const hasLeft = groups.length + moved.size > 0 && !isKept;
  const isEmpty = hasLeft && (change.isComplete === true || countEvents(db, from.id) === 0);
  const mergedInto = isEmpty ? findMainTarget(db, from.id) : null;
  if (mergedInto !== null) mergeIssue(db, { from, targetId: mergedInto, at: change.at });
  return { events: toAnswer(change, answers), issues, mergedInto };
}

function countEvents(db: SqliteConnection, issueId: number): number {
  const row = db.get<{ event_count: number }>("SELECT event_count FROM issues WHERE id = :issueId", { issueId });
  return row?.event_count ?? 0;
}

function hasRegroupedHash(db: SqliteConnection, issueId: number): boolean {
  const row = db.get("SELECT 1 FROM issue_hashes WHERE issue_id = :issueId AND is_regrouped = 1 LIMIT 1", { issueId });
  return row !== undefined;
}

/** Each event once, and only those that were not counted over before. */
function withoutKnownEvents(groups: RegroupedEvents[], moved: ReadonlyMap<string, number>): RegroupedEvents[] {
  const seen = new Set(moved.keys());
  return groups
    .map((group) => ({
      ...group,
      events: group.events.filter(({ eventId }) => {
        if (seen.has(eventId)) return false;
        seen.add(eventId);
        return true;
      }),
    }))
    .filter((group) => group.events.length > 0);
}

/** All that the issue had counted went with it, so that nothing is left to count; the event store may not know yet. */
function answerForMerged(db: SqliteConnection, change: Regrouping): RegroupingResult {
  const targetId = findMergeTarget(db, change.fromIssueId);
  const target = targetId === null ? null : loadIssue(db, targetId);
  if (target === null) throw new RangeError(`there is no issue ${change.fromIssueId} to regroup`);
  const moved = readEventMoves(db, target.projectId, change);
  const answers = new Map(moved);
  const eventIds = change.groups.flatMap(({ events }) => events.map(({ eventId }) => eventId));
  const unmoved = eventIds.filter((eventId) => !moved.has(eventId));
  for (const eventId of unmoved) answers.set(eventId, target.id);
  noteEventMoves(db, {
    projectId: target.projectId,
    fromIssueId: change.fromIssueId,
    toIssueId: target.id,
    eventIds: unmoved,
  });
  return { events: toAnswer(change, answers), issues: [], mergedInto: target.id };
}

function toAnswer(change: Regrouping, answers: ReadonlyMap<string, number>): RegroupingResult["events"] {
  const eventIds = new Set(change.groups.flatMap((group) => group.events.map(({ eventId }) => eventId)));
  return Array.from(eventIds, (eventId) => ({ eventId, issueId: answers.get(eventId) ?? change.fromIssueId }));
}
