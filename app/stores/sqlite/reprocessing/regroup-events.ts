import type { FoundIssue } from "../../../domain/issues/apply-occurrences.ts";
import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import { planRegrouping, type RegroupedGroup } from "../../../domain/issues/regroup-events.ts";
import type { Regrouping, RegroupingResult } from "../../state/reprocessing-store.ts";
import { saveMissingSourceMaps } from "../artifacts/missing-source-maps.ts";
import { saveIssueChanges } from "../batches/save-issue-changes.ts";
import { takeCounts } from "../batches/take-counts.ts";
import type { SqliteConnection } from "../connection.ts";
import { noteMerge } from "../grouping/issue-merges.ts";
import { noteFlow } from "../grouping/regrouping-requests.ts";
import { noteGain } from "../grouping/rule-moves.ts";
import { copyArchive } from "../issues/archives.ts";
import { toCountedEnvironmentIds } from "../issues/environments.ts";
import { loadIssue } from "../issues/load-issues.ts";
import { copyResolution } from "../issues/resolutions.ts";
import { noteEventMoves, readEventMoves } from "./event-moves.ts";
import { loadKnownRegrouping } from "./load-known-regrouping.ts";
import { mergeIssue } from "./merge-issue.ts";
import { findMergeTarget } from "./merged-issues.ts";
import { noteMove } from "./move-activity.ts";

/** Regroups events within a write transaction: reads the known state, lets the domain decide, and writes the changes. */
export function regroupEvents(db: SqliteConnection, change: Regrouping): RegroupingResult {
  const from = loadIssue(db, change.fromIssueId);
  if (from === null) return answerForMerged(db, change);
  const known = loadKnownRegrouping(db, from, change);
  const plan = planRegrouping(known, change);
  const moved = plan.moves.map((move) => move.change);
  const changes = plan.kept === null ? moved : [plan.kept, ...moved];
  const issueIds = saveIssueChanges(db, changes, plan);
  saveMissingSourceMaps(db, moved, issueIds);
  const idOf = (found: FoundIssue): number => {
    const issueId = "change" in found ? issueIds.get(found.change) : found.issueId;
    if (issueId === undefined) throw new Error("an issue that events moved to was not saved");
    return issueId;
  };

  const environmentIds = toCountedEnvironmentIds(db, plan.environments);
  for (const move of plan.moves) {
    const toIssueId = idOf({ change: move.change });
    takeCounts(db, from.id, move.change, environmentIds, move);
    noteEventMoves(db, { projectId: from.projectId, fromIssueId: from.id, toIssueId, eventIds: move.eventIds });
    // The targets of a split are first known here.
    noteFlow(db, { requestIssueId: from.id, fromIssueId: from.id, toIssueId });
    const ruleMove = change.byRules?.move;
    if (ruleMove) noteGain(db, { moveId: ruleMove.id, issueId: toIssueId, eventCount: move.eventIds.length });
    if (move.change.known === null && from.status === "resolved") copyResolution(db, from.id, toIssueId);
    if (move.change.known === null && from.status === "archived") copyArchive(db, from.id, toIssueId);
  }
  const answers = new Map(known.movedEvents);
  for (const group of plan.groups) {
    const issueId = idOf(group.issue);
    for (const eventId of group.eventIds) answers.set(eventId, issueId);
    noteGroup(db, { from, issueId, group, change });
  }
  const mergedInto = plan.mergedInto && idOf(plan.mergedInto);
  if (mergedInto !== null) endIssue(db, { from, targetId: mergedInto, change });
  return {
    events: toAnswer(change, answers),
    issues: plan.groups.flatMap((group) => toResult(group, idOf)),
    mergedInto,
  };
}

/** Ends an issue. If people asked for it, it can be undone. */
function endIssue(
  db: SqliteConnection,
  { from, targetId, change }: { from: KnownIssue; targetId: number; change: Regrouping },
): void {
  const { at, byRules } = change;
  const move = byRules?.move;
  const target = loadIssue(db, targetId);
  if (move && target) {
    const mergeId = noteMerge(db, { from, target, name: null, userId: move.userId, at, ruleMoveId: move.id });
    mergeIssue(db, { from, targetId, at, by: { userId: move.userId, mergeId } });
  } else mergeIssue(db, { from, targetId, at, cause: byRules?.cause });
}

function noteGroup(
  db: SqliteConnection,
  { from, issueId, group, change }: { from: KnownIssue; issueId: number; group: RegroupedGroup; change: Regrouping },
): void {
  if (group.outcome !== "joined" && group.outcome !== "split_off") return;
  noteMove(db, {
    from,
    target: { issueId, shortId: loadIssue(db, issueId)?.shortId ?? "" },
    kind: group.outcome,
    eventCount: group.eventIds.length,
    at: change.at,
    cause: change.byRules?.cause,
  });
}

/** Events that stay are no result, unless they name the issue. */
function toResult(group: RegroupedGroup, idOf: (issue: FoundIssue) => number): RegroupingResult["issues"] {
  const { outcome, transition, eventIds } = group;
  if (outcome === "kept") return [];
  const issue = { issueId: idOf(group.issue), transition, eventCount: eventIds.length };
  return [{ ...issue, outcome: outcome === "named" ? "kept" : outcome }];
}

/** The result for an issue that was merged: there is nothing to count, but the event store may not know of the merge yet. */
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
