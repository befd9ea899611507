import { FOLLOWED_CHANGES } from "../../../domain/channels/issue-change.ts";
import type { Issue, IssueStatus } from "../../../domain/issue.ts";
import {
  type CurrentStatus,
  changeStatus,
  type PreviousStatus,
  type RestoredStatus,
  restoreStatus,
  type StatusChange,
  toPrevious,
} from "../../../domain/issues/change-status.ts";
import { toSettledResolution } from "../../../domain/issues/resolutions.ts";
import { toSubstatus } from "../../../domain/issues/substatus.ts";
import type { Resolution, ResolutionRequest } from "../../../domain/release.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { asFields } from "../../sql/columns.ts";
import type { IssueActivity, IssueStatusRequest } from "../../state/issue-store.ts";
import { endPeriodsOfIssue, reopenPeriods } from "../alerts/periods.ts";
import { noteIssueChange } from "../channels/channel-messages.ts";
import type { SqliteConnection } from "../connection.ts";
import { addToOutbox } from "../notifications/outbox.ts";
import { findLatestRelease, findReleasesWithCommit } from "../releases/release-order.ts";
import { findMergeTarget, toCurrentIssueIds } from "../reprocessing/merged-issues.ts";
import { announceActivity } from "./announce-activity.ts";
import { loadArchiveRule, saveArchive } from "./archives.ts";
import { loadResolutions, saveResolution } from "./resolutions.ts";

const ACTIVITY_OF_STATUS = {
  unresolved: "reopened",
  resolved: "resolved",
  archived: "archived",
} satisfies Record<IssueStatus, IssueActivity["kind"]>;

/** Within a write transaction. */
export function changeIssueStatus(
  db: SqliteConnection,
  scope: Scope,
  change: IssueStatusRequest,
  now: number,
): PreviousStatus[] {
  const { status, resolution: request, archive = null } = change;
  const changed: PreviousStatus[] = [];
  // The resolution is the same for all issues of a project.
  const resolutions = new Map<number, Resolution | null>();
  for (const issueId of toCurrentIssueIds(db, change.issueIds)) {
    const current = getStatus(db, issueId, now);
    if (current === null || !includesProject(scope, current.projectId)) continue;
    const { projectId } = current;
    if (status === "resolved" && request !== undefined && !resolutions.has(projectId)) {
      resolutions.set(projectId, toSettledResolution(request, loadRequested(db, projectId, request)));
    }
    const decided = changeStatus(current, { status, resolution: resolutions.get(projectId), archive });
    if (decided === null) continue;
    saveStatus(db, decided, change);
    changed.push(toPrevious(current));
  }
  // Each issue has the change in its own activity. The audit log gets only changes of several issues.
  if (changed.length > 1)
    db.note({
      action: "issues.change",
      target: { kind: "issue", id: null, name: `${changed.length} issues` },
      after: { status, issues: nameIssues(db, changed) },
    });
  return changed;
}

/** Within a write transaction. */
export function restoreIssueStatuses(
  db: SqliteConnection,
  scope: Scope,
  previous: RestoredStatus[],
  by: { userId: number | null; at: number },
  now: number,
): void {
  for (const restored of previous) {
    const current = getStatus(db, findMergeTarget(db, restored.issueId) ?? restored.issueId, now);
    if (current === null || !includesProject(scope, current.projectId)) continue;
    const decided = restoreStatus(current, restored);
    if (decided) saveStatus(db, decided, { ...by, isUndo: true });
  }
}

function nameIssues(db: SqliteConnection, changed: readonly PreviousStatus[]): string[] {
  return db
    .all<{ shortId: string }>(
      "SELECT short_id AS shortId FROM issues WHERE id IN (SELECT value FROM json_each(:issueIds)) ORDER BY id LIMIT 51",
      { issueIds: JSON.stringify(changed.map(({ issueId }) => issueId)) },
    )
    .map(({ shortId }) => shortId);
}

/** The releases of the project that the request names. */
function loadRequested(
  db: SqliteConnection,
  projectId: number,
  request: ResolutionRequest | null,
): Parameters<typeof toSettledResolution>[1] {
  return {
    latest:
      request?.kind === "latest_release" || request?.kind === "next_release" ? findLatestRelease(db, projectId) : null,
    withCommit: request?.kind === "commit" ? findReleasesWithCommit(db, projectId, request) : [],
  };
}

function saveStatus(
  db: SqliteConnection,
  { issueId, projectId, status, substatus, resolution, archive, keepsProgress, isActivity }: StatusChange,
  {
    userId,
    at,
    isUndo,
    commit,
  }: { userId: number | null; at: number; isUndo?: boolean; commit?: IssueStatusRequest["commit"] },
): void {
  db.run("UPDATE issues SET status = :status, substatus = :substatus, status_changed_at = :at WHERE id = :issueId", {
    issueId,
    status,
    substatus,
    at,
  });
  if (status === "resolved") saveResolution(db, { issueId, projectId }, resolution);
  if (status === "archived" && !keepsProgress) saveArchive(db, issueId, archive, at);
  if (!isActivity) return;
  if (status === "resolved" && !isUndo)
    addToOutbox(db, [
      { transition: "resolved", projectId, issueId, eventId: "", at: Math.floor(at), release: null, told: null },
    ]);
  addActivity(db, {
    issueId,
    at,
    kind: ACTIVITY_OF_STATUS[status],
    userId,
    data: {
      ...(isUndo ? { isUndo: true } : {}),
      ...(resolution === null ? {} : { resolution }),
      ...(archive === null ? {} : { archive }),
      ...(commit === undefined ? {} : { commit }),
    },
  });
}

/** Adds an entry to the activity, within a write transaction. Returns its id. */
export function addActivity(
  db: SqliteConnection,
  activity: {
    issueId: number;
    at: number;
    kind: IssueActivity["kind"];
    userId: number | null;
    data: object;
    /** For lookups: the release of the event that brought the issue back. */
    releaseId?: number | null;
  },
): number {
  const id = db.run(
    `INSERT INTO issue_activity (issue_id, at, kind, user_id, data, release_id)
     VALUES (:issueId, :at, :kind, :userId, :data, :releaseId)`,
    { ...activity, data: JSON.stringify(activity.data), releaseId: activity.releaseId ?? null },
  ).insertedId;
  const { issueId, at, kind } = activity;
  announceActivity(db, issueId);
  if (FOLLOWED_CHANGES.some((each) => each === kind)) noteIssueChange(db, issueId, at);
  if (kind === "resolved" || kind === "archived") endPeriodsOfIssue(db, { issueId, at, reason: kind });
  if (kind === "reopened" && "isUndo" in activity.data) reopenPeriods(db, issueId);
  return id;
}

function getStatus(db: SqliteConnection, issueId: number, now: number): CurrentStatus | null {
  const row = db.get<Pick<Issue, "projectId" | "status" | "substatus" | "firstSeenAt" | "statusChangedAt">>(
    `SELECT ${asFields("project_id, status, substatus, first_seen_at, status_changed_at")} FROM issues WHERE id = :issueId`,
    { issueId },
  );
  if (row === undefined) return null;
  return {
    issueId,
    projectId: row.projectId,
    status: row.status,
    substatus: toSubstatus(row, now),
    lastResolution: loadResolutions(db, [issueId]).get(issueId) ?? null,
    lastArchive: loadArchiveRule(db, issueId),
  };
}
