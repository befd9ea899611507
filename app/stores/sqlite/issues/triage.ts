import type { Priority } from "../../../domain/issues/priority.ts";
import { type Assignee, changeTriage, type NewTriage, type PreviousTriage } from "../../../domain/issues/triage.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { RuleAssignment, TriageRequest, TriageResult, TriageStore } from "../../state/triage-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { passOutbox } from "../notifications/outbox.ts";
import { findMergeTarget, toCurrentIssueIds } from "../reprocessing/merged-issues.ts";
import { getAssignee, listAssigned, listAssignees, loadAssignee, saveAssignee, seesProject } from "./assignees.ts";
import { tell } from "./comments.ts";
import { findProject, subscribe } from "./issue-people.ts";
import { PRIORITY_RANKS, toPriority } from "./issue-priority.ts";
import { addActivity } from "./issue-status.ts";

interface By {
  userId: number | null;
  at: number;
  isUndo: boolean;
  /** The project's rule that assigns the issue. */
  rule?: string;
}

export function createTriageStore(db: SqliteConnection): TriageStore {
  return {
    changeTriage: (scope, request) => db.write(() => change(db, scope, request)),
    restoreTriage: (scope, previous, by) => db.write(() => restore(db, scope, previous, by)),
    assignByRules: (scope, assignments, { reader, position }) =>
      db.write(() => {
        passOutbox(db, reader, position);
        return assignments.filter((each) => assignByRule(db, scope, each)).map(({ issueId }) => issueId);
      }),
    listAssignees: async (scope, of) => db.read(() => listAssignees(db, scope, of)),
    getAssignee: async (_scope, ref) => getAssignee(db, ref),
    seesProject: async (_scope, ref, projectId) => seesProject(db, ref, projectId),
  };
}

function change(db: SqliteConnection, scope: Scope, request: TriageRequest): TriageResult {
  const { issueIds, assignee, priority, userId, at } = request;
  const previous: PreviousTriage[] = [];
  const refusedIds: number[] = [];
  for (const issueId of toCurrentIssueIds(db, issueIds)) {
    const projectId = findProject(db, scope, issueId);
    if (projectId === null) continue;
    if (assignee && !seesProject(db, assignee, projectId)) refusedIds.push(issueId);
    else {
      const changed = apply(db, { issueId, projectId }, { assignee, priority }, { userId, at, isUndo: false });
      if (changed) previous.push({ issueId, ...changed });
    }
  }
  return { previous, refusedIds };
}

/** Assigns an issue by a rule. False: it was not assigned. */
function assignByRule(
  db: SqliteConnection,
  scope: Scope,
  { issueId: askedId, assignee, rule, at }: RuleAssignment,
): boolean {
  const issueId = findMergeTarget(db, askedId) ?? askedId;
  const projectId = findProject(db, scope, issueId);
  if (projectId === null || !seesProject(db, assignee, projectId)) return false;
  const decided = db.get(
    "SELECT 1 FROM issue_activity WHERE issue_id = :issueId AND kind IN ('assigned', 'unassigned') LIMIT 1",
    { issueId },
  );
  if (decided !== undefined) return false;
  return apply(db, { issueId, projectId }, { assignee }, { userId: null, at, isUndo: false, rule }) !== null;
}

function restore(
  db: SqliteConnection,
  scope: Scope,
  previous: readonly PreviousTriage[],
  by: { userId: number | null; at: number },
): void {
  for (const { issueId: formerId, assignee, priority } of previous) {
    const issueId = findMergeTarget(db, formerId) ?? formerId;
    const projectId = findProject(db, scope, issueId);
    if (projectId === null) continue;
    // A person who no longer sees the project is not assigned again.
    const isLost = assignee && !seesProject(db, assignee, projectId);
    apply(db, { issueId, projectId }, { assignee: isLost ? undefined : assignee, priority }, { ...by, isUndo: true });
  }
}

/** Applies a change. Returns the previous values of what changed. Null: nothing changed. */
function apply(
  db: SqliteConnection,
  { issueId, projectId }: { issueId: number; projectId: number },
  wanted: NewTriage,
  by: By,
): NewTriage | null {
  const decided = changeTriage({ assignee: loadAssignee(db, issueId), priority: loadPriority(db, issueId) }, wanted);
  if (decided === null) return null;
  const { assignee, priority } = decided.next;
  const data = by.isUndo ? { isUndo: true } : by.rule === undefined ? {} : { rule: by.rule };
  const { userId, at } = by;
  if (assignee !== undefined) {
    saveAssignee(db, { issueId, assignee, at });
    const named: Assignee | null = assignee && getAssignee(db, assignee);
    const said = named === null ? data : { ...data, assignee: named };
    addActivity(db, { issueId, at, kind: named === null ? "unassigned" : "assigned", userId, data: said });
    if (assignee !== null && !by.isUndo) {
      if (assignee.kind === "user") subscribe(db, { issueId, userIds: [assignee.id], reason: "assigned" });
      tell(db, {
        ...{ issueId, projectId, act: "assigned", userIds: listAssigned(db, assignee, projectId), userId, at },
        ...(by.rule !== undefined && { ownershipRule: by.rule }),
      });
    }
  }
  if (priority !== undefined) {
    db.run("UPDATE issues SET set_priority = :rank WHERE id = :issueId", {
      issueId,
      rank: priority && PRIORITY_RANKS[priority],
    });
    addActivity(db, { issueId, at, kind: "priority_set", userId, data: { ...data, priority } });
  }
  return decided.previous;
}

function loadPriority(db: SqliteConnection, issueId: number): Priority | null {
  const row = db.get<{ rank: number | null }>("SELECT set_priority AS rank FROM issues WHERE id = :issueId", {
    issueId,
  });
  return toPriority(row?.rank ?? null);
}
