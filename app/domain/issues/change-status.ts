import type { IssueStatus, IssueSubstatus } from "../issue.ts";
import type { Resolution } from "../release.ts";
import { type ArchiveRule, isSameArchiveRule } from "./archive-rule.ts";
import { toComparedVersion } from "./resolutions.ts";

/** The status of an issue before a change. */
export interface PreviousStatus {
  issueId: number;
  status: IssueStatus;
  substatus: IssueSubstatus;
  resolution: Resolution | null;
  /** The rule of an archived issue. Null: it was archived for ever, or had another status. */
  archive: ArchiveRule | null;
}

/** An issue as it is now. */
export interface CurrentStatus {
  issueId: number;
  projectId: number;
  status: IssueStatus;
  /** The substatus that people see: `new` and `escalating` end after seven days. */
  substatus: IssueSubstatus;
  /** The condition of the last resolve, whatever the status is now. */
  lastResolution: Resolution | null;
  /** The rule of the last archive, whatever the status is now. */
  lastArchive: ArchiveRule | null;
}

/** The status that somebody gives issues. */
export interface NewStatus {
  status: IssueStatus;
  /** Only with `resolved`. Undefined: a resolved issue keeps the resolution that it has. */
  resolution?: Resolution | null | undefined;
  /** Only with `archived`. Null and undefined: for ever. */
  archive?: ArchiveRule | null | undefined;
}

export interface StatusChange {
  issueId: number;
  projectId: number;
  status: IssueStatus;
  substatus: IssueSubstatus;
  /** The resolution. It is only written with `resolved`. With other statuses, the last one is kept, for undo. */
  resolution: Resolution | null;
  /** Written with `archived` alone, like `resolution`. */
  archive: ArchiveRule | null;
  /** True when what has come since the issue was archived so goes on being counted. */
  keepsProgress: boolean;
  /** False for a change that people see nothing of. */
  isActivity: boolean;
}

/**
 * A person gives an issue a status. Null when nothing changes: the issue has the status already, unless it is resolved and
 * another `resolution` is given, or archived and gets another rule.
 */
export function changeStatus(
  current: CurrentStatus,
  { status, resolution, archive = null }: NewStatus,
): StatusChange | null {
  if (current.status === status) {
    if (status === "unresolved") return null;
    if (status === "resolved" && (resolution === undefined || isSame(resolution, current.lastResolution))) return null;
    if (status === "archived" && isSameArchiveRule(archive, current.lastArchive)) return null;
  }
  const { issueId, projectId } = current;
  // A resolved or archived issue keeps its substatus for undo. A person who reopens an issue has seen it, so it is not new.
  const substatus = status === "unresolved" ? "ongoing" : current.substatus;
  return {
    issueId,
    projectId,
    status,
    substatus,
    resolution: status === "resolved" ? (resolution ?? null) : null,
    archive: status === "archived" ? archive : null,
    keepsProgress: false,
    isActivity: true,
  };
}

/** The values that undo restores. Without a `resolution` or an `archive`, the issue gets its last one. */
export type RestoredStatus = Omit<PreviousStatus, "resolution" | "archive"> &
  Partial<Pick<PreviousStatus, "resolution" | "archive">>;

/** Undo. Null when nothing changes. */
export function restoreStatus(current: CurrentStatus, previous: Omit<RestoredStatus, "issueId">): StatusChange | null {
  const { issueId, projectId, lastResolution, lastArchive } = current;
  const { status, substatus } = previous;
  const restored = previous.resolution === undefined ? lastResolution : previous.resolution;
  const resolution = status === "resolved" ? restored : null;
  const archive = status !== "archived" ? null : previous.archive === undefined ? lastArchive : previous.archive;
  const now = toPrevious(current);
  const isSameForPeople =
    current.status === status && isSame(resolution, now.resolution) && isSameArchiveRule(archive, now.archive);
  if (isSameForPeople && current.substatus === substatus) return null;
  const keepsProgress = isSameArchiveRule(archive, lastArchive);
  return { issueId, projectId, status, substatus, resolution, archive, keepsProgress, isActivity: !isSameForPeople };
}

export function toPrevious({ issueId, status, substatus, lastResolution, lastArchive }: CurrentStatus): PreviousStatus {
  return {
    issueId,
    status,
    substatus,
    resolution: status === "resolved" ? lastResolution : null,
    archive: status === "archived" ? lastArchive : null,
  };
}

function isSame(a: Resolution | null, b: Resolution | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "commit" && b.kind === "commit") return a.commitId === b.commitId && a.repository === b.repository;
  return a.kind === b.kind && toComparedVersion(a) === toComparedVersion(b);
}
