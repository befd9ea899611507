import type { IssueSubstatus } from "../issue.ts";
import { DAY_MS } from "../time.ts";

/** How long an issue is `new`, counted from its first event. Source: the words that people know (new is up to seven days old). */
export const NEW_ISSUE_MS = 7 * DAY_MS;

/**
 * How long an issue is `escalating` after it came back. It was compared with the week before (`EscalationBounds`). A week later, the
 * escalation is itself that week, so as many events are usual.
 */
export const ESCALATING_ISSUE_MS = 7 * DAY_MS;

/** An issue's substatus as it is stored, and the instants that it is read by; milliseconds since 1970. */
export interface StoredSubstatus {
  substatus: IssueSubstatus;
  firstSeenAt: number;
  statusChangedAt: number;
}

/** The substatus of an unresolved issue at an instant. Nothing is written when the seven days are over, so each reader works this out. */
export function toSubstatus({ substatus, firstSeenAt, statusChangedAt }: StoredSubstatus, now: number): IssueSubstatus {
  if (substatus === "new") return firstSeenAt <= now - NEW_ISSUE_MS ? "ongoing" : "new";
  if (substatus === "escalating") return statusChangedAt <= now - ESCALATING_ISSUE_MS ? "ongoing" : "escalating";
  return substatus;
}
