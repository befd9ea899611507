import type { ArchiveRule } from "./issues/archive-rule.ts";
import type { EscalationBounds } from "./issues/escalation.ts";
import type { Priority } from "./issues/priority.ts";
import type { Assignee } from "./issues/triage.ts";
import type { Level } from "./level.ts";
import type { Resolution } from "./release.ts";

export const ISSUE_STATUSES = ["unresolved", "resolved", "archived"] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/**
 * Finer than the status: what an unresolved issue is doing. `new` for its first seven days, `regressed` after it happened again though it
 * was resolved, `escalating` for seven days after far more events than its own past brought it back from the archive.
 */
export const ISSUE_SUBSTATUSES = ["new", "ongoing", "escalating", "regressed"] as const;
export type IssueSubstatus = (typeof ISSUE_SUBSTATUSES)[number];

/** The rule of an archived issue, and how many of its events or new users have come; with a window that stays 0. */
export interface ArchivedUntil {
  rule: ArchiveRule;
  seen: number;
  /** Only for the rule `escalates`. */
  bounds?: EscalationBounds;
}

/** A set of events that are one problem. All instants are milliseconds since 1970. */
export interface Issue {
  id: number;
  /** The short id: project slug in capitals and a number in base 32, like `WEB-4F2`. */
  shortId: string;
  projectId: number;
  /** `TypeError: x is undefined` or the first line of a message. Follows the latest event. */
  title: string;
  /** Exception type, or null for messages. */
  type: string | null;
  /** First lines of the exception's value or the message. */
  value: string;
  /** The place of the error: the transaction, or function and module of the crash frame. */
  culprit: string;
  level: Level;
  platform: string;
  logger: string | null;
  isUnhandled: boolean;
  status: IssueStatus;
  substatus: IssueSubstatus;
  /** When the status last changed. */
  statusChangedAt: number;
  /** The condition of a resolved issue. Null: only the time of the resolve decides, or the issue is not resolved. */
  resolution: Resolution | null;
  /** The rule that brings an archived issue back. Null: nothing does, or the issue is not archived. */
  archive: ArchivedUntil | null;
  firstSeenAt: number;
  lastSeenAt: number;
  /** The release in the earliest event, by the event's clock. Null: it names none. */
  firstRelease: string | null;
  /** The release in the latest event. Null: it names none. */
  lastRelease: string | null;
  eventCount: number;
  userCount: number;
  /** Null: nobody, or somebody who does not see the project any more. */
  assignee: Assignee | null;
  priority: Priority;
  /** False: the rule of `computePriority` has decided. */
  isPrioritySet: boolean;
}
