import type { IssueStatus, IssueSubstatus } from "../issue.ts";
import type { IssueHeadline } from "./occurrence.ts";

/** The parts of a stored issue that decide what an event does to it. */
export interface KnownIssue extends IssueHeadline {
  id: number;
  projectId: number;
  shortId: string;
  status: IssueStatus;
  /** The stored substatus. `new` and `escalating` are ended when it is read. */
  substatus: IssueSubstatus;
  statusChangedAt: number;
  firstSeenAt: number;
  lastSeenAt: number;
  /** The releases of the earliest and of the latest event. Null: the event names none. */
  firstReleaseId: number | null;
  lastReleaseId: number | null;
}
