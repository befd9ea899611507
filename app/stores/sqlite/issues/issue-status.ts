import { isDeepStrictEqual } from "node:util";
import type { IssueStatus, IssueSubstatus } from "../../../domain/issue.ts";
import type { Resolution, ResolutionRequest } from "../../../domain/release.ts";
import type { IssueActivity, PreviousStatus } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { findMergeTarget, toCurrentIssueIds } from "../reprocessing/merged-issues.ts";
import { toSubstatus } from "./issue-row.ts";
import { getResolution, setResolution, toSettledResolution } from "./resolutions.ts";

/** With what the issue waited for when it was resolved last, whatever its status is now. */
type CurrentStatus = PreviousStatus & { projectId: number; lastResolution: Resolution | null };

const ACTIVITY_OF_STATUS = {
  unresolved: "reopened",
  resolved: "resolved",
  archived: "archived",
} satisfies Record<IssueStatus, IssueActivity["kind"]>;

/** Within a write transaction. */
export function changeIssueStatus(
  db: SqliteConnection,
  change: {
    issueIds: number[];
    status: IssueStatus;
    resolution?: ResolutionRequest | null;
    userId: number | null;
    at: number;
  },
  now: number,
): PreviousStatus[] {
  const { status, userId, at } = change;
  const changed: PreviousStatus[] = [];
  // The same for all issues of a project.
  const settled = new Map<number, Resolution | null>();
  const settle = (projectId: number) => {
    const known = settled.get(projectId);
    if (known !== undefined) return known;
    const resolution = toSettledResolution(db, projectId, change.resolution ?? null);
    settled.set(projectId, resolution);
    return resolution;
  };
  for (const issueId of toCurrentIssueIds(db, change.issueIds)) {
    const current = getStatus(db, issueId, now);
    if (current === null) continue;
    const resolution = status === "resolved" ? settle(current.projectId) : null;
    if (current.status === status) {
      const isSame = change.resolution === undefined || isDeepStrictEqual(resolution, current.resolution);
      if (status !== "resolved" || isSame) continue;
    }
    // The substatus of an issue that is put away is kept for its undo; who reopens one has seen it: it is not new.
    const substatus = status === "unresolved" ? "ongoing" : current.substatus;
    setStatus(db, { issueId, status, substatus }, at);
    if (status === "resolved") setResolution(db, current, resolution);
    addActivity(db, {
      issueId,
      at,
      kind: ACTIVITY_OF_STATUS[status],
      userId,
      data: resolution === null ? {} : { resolution },
    });
    changed.push({
      issueId,
      status: current.status,
      substatus: current.substatus,
      resolution: current.resolution,
    });
  }
  return changed;
}

/** Within a write transaction. */
export function restoreIssueStatuses(
  db: SqliteConnection,
  previous: Array<Omit<PreviousStatus, "resolution"> & { resolution?: Resolution | null }>,
  by: { userId: number | null; at: number },
  now: number,
): void {
  for (const { issueId: askedId, status, substatus, resolution: restored } of previous) {
    const issueId = findMergeTarget(db, askedId) ?? askedId;
    const current = getStatus(db, issueId, now);
    if (current === null) continue;
    const resolution = status !== "resolved" ? null : restored === undefined ? current.lastResolution : restored;
    const isSame = current.status === status && isDeepStrictEqual(resolution, current.resolution);
    if (isSame && current.substatus === substatus) continue;
    setStatus(db, { issueId, status, substatus }, by.at);
    if (status === "resolved") setResolution(db, current, resolution);
    if (isSame) continue;
    addActivity(db, {
      issueId,
      at: by.at,
      kind: ACTIVITY_OF_STATUS[status],
      userId: by.userId,
      data: { isUndo: true, ...(resolution === null ? {} : { resolution }) },
    });
  }
}

export function addActivity(
  db: SqliteConnection,
  activity: {
    issueId: number;
    at: number;
    kind: IssueActivity["kind"];
    userId: number | null;
    data: object;
    /** To be found by: of the event that brought the issue back. */
    releaseId?: number | null;
  },
): void {
  db.run(
    `INSERT INTO issue_activity (issue_id, at, kind, user_id, data, release_id)
     VALUES (:issueId, :at, :kind, :userId, :data, :releaseId)`,
    { ...activity, data: JSON.stringify(activity.data), releaseId: activity.releaseId ?? null },
  );
}

function getStatus(db: SqliteConnection, issueId: number, now: number): CurrentStatus | null {
  const row = db.get<{
    project_id: number;
    status: IssueStatus;
    substatus: IssueSubstatus;
    first_seen_at: number;
  }>("SELECT project_id, status, substatus, first_seen_at FROM issues WHERE id = :issueId", { issueId });
  if (row === undefined) return null;
  const lastResolution = getResolution(db, issueId);
  return {
    issueId,
    projectId: row.project_id,
    status: row.status,
    substatus: toSubstatus(row, now),
    resolution: row.status === "resolved" ? lastResolution : null,
    lastResolution,
  };
}

function setStatus(
  db: SqliteConnection,
  { issueId, status, substatus }: Omit<PreviousStatus, "resolution">,
  at: number,
): void {
  db.run("UPDATE issues SET status = :status, substatus = :substatus, status_changed_at = :at WHERE id = :issueId", {
    issueId,
    status,
    substatus,
    at,
  });
}
