import type { IssueStatus, IssueSubstatus } from "../issue.ts";
import type { Resolution } from "../release.ts";
import { toComparedVersion } from "./resolutions.ts";

/** The status of an issue before a change. */
export interface PreviousStatus {
  issueId: number;
  status: IssueStatus;
  substatus: IssueSubstatus;
  resolution: Resolution | null;
}

/** An issue as it is now. */
export interface CurrentStatus {
  issueId: number;
  projectId: number;
  status: IssueStatus;
  /** As people see it: `new` ends after seven days. */
  substatus: IssueSubstatus;
  /** The condition of the last resolve, whatever the status is now. */
  lastResolution: Resolution | null;
}

export interface StatusChange {
  issueId: number;
  projectId: number;
  status: IssueStatus;
  substatus: IssueSubstatus;
  /** Written with `resolved` alone: what it waits for. Other statuses keep what it waited for last, for undo. */
  resolution: Resolution | null;
  /** False for a change that people see nothing of. */
  isActivity: boolean;
}

/**
 * A person gives an issue a status. Null when nothing changes: the issue has the status already, unless it is resolved and
 * another `resolution` is given (undefined: none is given, the issue keeps its own).
 */
export function changeStatus(
  current: CurrentStatus,
  status: IssueStatus,
  resolution: Resolution | null | undefined,
): StatusChange | null {
  if (current.status === status) {
    if (status !== "resolved" || resolution === undefined || isSame(resolution, current.lastResolution)) return null;
  }
  const { issueId, projectId } = current;
  // An issue that is put away keeps its substatus for undo. Somebody who reopens an issue has seen it: it is not new.
  const substatus = status === "unresolved" ? "ongoing" : current.substatus;
  const kept = status === "resolved" ? (resolution ?? null) : null;
  return { issueId, projectId, status, substatus, resolution: kept, isActivity: true };
}

/** Undo. Null when nothing changes. Without a `resolution`, a resolved issue waits for what it waited for last. */
export function restoreStatus(
  current: CurrentStatus,
  previous: Omit<PreviousStatus, "issueId" | "resolution"> & { resolution?: Resolution | null },
): StatusChange | null {
  const { issueId, projectId, lastResolution } = current;
  const { status, substatus } = previous;
  const restored = previous.resolution === undefined ? lastResolution : previous.resolution;
  const resolution = status === "resolved" ? restored : null;
  const isSameForPeople = current.status === status && isSame(resolution, toPrevious(current).resolution);
  if (isSameForPeople && current.substatus === substatus) return null;
  return { issueId, projectId, status, substatus, resolution, isActivity: !isSameForPeople };
}

export function toPrevious({ issueId, status, substatus, lastResolution }: CurrentStatus): PreviousStatus {
  return { issueId, status, substatus, resolution: status === "resolved" ? lastResolution : null };
}

function isSame(a: Resolution | null, b: Resolution | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "commit" && b.kind === "commit") return a.commitId === b.commitId && a.repository === b.repository;
  return a.kind === b.kind && toComparedVersion(a) === toComparedVersion(b);
}
