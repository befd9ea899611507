import { ISSUE_STATUSES, type IssueStatus, type IssueSubstatus } from "../../domain/issue.ts";

/** What issues were before a change, as `changeIssueStatus` gives it and an undo sends it back. */
export type PreviousStatuses = Array<{ issueId: number; status: IssueStatus; substatus: IssueSubstatus }>;

const SUBSTATUSES: readonly IssueSubstatus[] = ["new", "ongoing", "regressed"];
/** As many as one action changes at most. */
const MAX_PREVIOUS = 1_000;

/** `17:unresolved:new,18:…`: fits a hidden field. */
export function serializePrevious(previous: PreviousStatuses): string {
  return previous.map(({ issueId, status, substatus }) => `${issueId}:${status}:${substatus}`).join();
}

/** Null when it is not what `serializePrevious` made. */
export function parsePrevious(value: unknown): PreviousStatuses | null {
  if (typeof value !== "string" || value === "") return null;
  const parts = value.split(",", MAX_PREVIOUS + 1);
  if (parts.length > MAX_PREVIOUS) return null;
  const previous: PreviousStatuses = [];
  for (const part of parts) {
    const [id, statusName, substatusName] = part.split(":");
    const issueId = Number(id);
    const status = ISSUE_STATUSES.find((name) => name === statusName);
    const substatus = SUBSTATUSES.find((name) => name === substatusName);
    if (!Number.isSafeInteger(issueId) || issueId <= 0 || !status || !substatus) return null;
    previous.push({ issueId, status, substatus });
  }
  return previous;
}
