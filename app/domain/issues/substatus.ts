import type { IssueSubstatus } from "../issue.ts";
import { DAY_MS } from "../time.ts";

/** How long an issue is `new`, from its first event. Source: the words people know (new is up to seven days old). */
export const NEW_ISSUE_MS = 7 * DAY_MS;

/**
 * How long an issue is `escalating` after it came back. It was compared with its last week (EscalationBounds); a week later, that week is
 * the one in which it escalated, and as many events are what is usual.
 */
export const ESCALATING_ISSUE_MS = 7 * DAY_MS;

/** An issue's substatus as it is stored, and the instants that it is read by; milliseconds since 1970. */
export interface StoredSubstatus {
  substatus: IssueSubstatus;
  firstSeenAt: number;
  statusChangedAt: number;
}

/** What an unresolved issue is doing at an instant. Nothing writes when the days of an issue are over, so they end while reading. */
export function toSubstatus({ substatus, firstSeenAt, statusChangedAt }: StoredSubstatus, now: number): IssueSubstatus {
  if (substatus === "new") return firstSeenAt <= now - NEW_ISSUE_MS ? "ongoing" : "new";
  if (substatus === "escalating") return statusChangedAt <= now - ESCALATING_ISSUE_MS ? "ongoing" : "escalating";
  return substatus;
}
