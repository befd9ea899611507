import { ISSUE_STATUSES, type IssueSubstatus } from "../../domain/issue.ts";
import type { PreviousStatus } from "../../domain/issues/change-status.ts";
import { parseResolution, serializeResolution } from "./resolution-text.ts";

/** What issues were before a change, as `changeIssueStatus` gives it and an undo sends it back. */
export type PreviousStatuses = PreviousStatus[];

const SUBSTATUSES: readonly IssueSubstatus[] = ["new", "ongoing", "regressed"];
/** As many as one action changes at most. */
const MAX_PREVIOUS = 1_000;

/** `17:unresolved:new,18:resolved:ongoing:r/web%401.4.0,…`: fits a hidden field. */
export function serializePrevious(previous: PreviousStatuses): string {
  return previous
    .map(({ issueId, status, substatus, resolution }) => {
      const text = serializeResolution(resolution);
      return `${issueId}:${status}:${substatus}${text && `:${text}`}`;
    })
    .join();
}

/** Null when it is not what `serializePrevious` made. */
export function parsePrevious(value: unknown): PreviousStatuses | null {
  if (typeof value !== "string" || value === "") return null;
  const parts = value.split(",", MAX_PREVIOUS + 1);
  if (parts.length > MAX_PREVIOUS) return null;
  const previous: PreviousStatuses = [];
  for (const part of parts) {
    const [id, statusName, substatusName, resolutionText = ""] = part.split(":");
    const issueId = Number(id);
    const status = ISSUE_STATUSES.find((name) => name === statusName);
    const substatus = SUBSTATUSES.find((name) => name === substatusName);
    const resolution = parseResolution(resolutionText);
    if (!Number.isSafeInteger(issueId) || issueId <= 0 || !status || !substatus || resolution === undefined)
      return null;
    previous.push({ issueId, status, substatus, resolution });
  }
  return previous;
}
