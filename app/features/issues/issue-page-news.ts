import type { Issue } from "../../domain/issue.ts";

/** The parts of an issue that change while somebody looks at it. */
export type IssueState = Pick<Issue, "status" | "substatus" | "eventCount">;

/** Says what has happened to an issue since its page was read; null: nothing. */
export function sayIssuePageNews(shown: IssueState, now: IssueState): string | null {
  const parts = [saySubject(shown, now), sayEvents(now.eventCount - shown.eventCount)].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

function saySubject(shown: IssueState, now: IssueState): string | null {
  if (now.status === "unresolved") {
    const wasRegressed = shown.status === "unresolved" && shown.substatus === "regressed";
    // An undo brings that back as well, without an event.
    const hasHappened = now.substatus === "regressed" && now.eventCount > shown.eventCount;
    if (hasHappened && !wasRegressed) return "Regressed: it happened again";
    return shown.status === "unresolved" ? null : "Reopened meanwhile";
  }
  if (now.status === shown.status) return null;
  return now.status === "resolved" ? "Resolved meanwhile" : "Archived meanwhile";
}

function sayEvents(count: number): string | null {
  if (count <= 0) return null;
  return count === 1 ? "1 new event" : `${count.toLocaleString("en")} new events`;
}
