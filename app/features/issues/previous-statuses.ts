import { ISSUE_STATUSES, ISSUE_SUBSTATUSES } from "../../domain/issue.ts";
import type { PreviousStatus } from "../../domain/issues/change-status.ts";
import { parseArchiveRule, serializeArchiveRule } from "./archive-text.ts";
import { parseResolution, serializeResolution } from "./resolution-text.ts";

/** Characters: some 10,000 issues. In a form each takes at most three bytes, and a form may have 1 MiB. */
const MAX_LENGTH = 300_000;

/**
 * Text for a hidden field: `17:unresolved:new,18:resolved:ongoing:r/web%401.4.0,19:archived:new:e/100,…`. Null if there is nothing,
 * or too much.
 */
export function serializePrevious(previous: readonly PreviousStatus[]): string | null {
  const text = previous
    .map(({ issueId, status, substatus, resolution, archive }) => {
      const waitsFor = status === "archived" ? serializeArchiveRule(archive) : serializeResolution(resolution);
      return `${issueId}:${status}:${substatus}${waitsFor && `:${waitsFor}`}`;
    })
    .join();
  return text === "" || text.length > MAX_LENGTH ? null : text;
}

/** Null: the text is not from `serializePrevious`. */
export function parsePrevious(value: unknown): PreviousStatus[] | null {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
  const previous: PreviousStatus[] = [];
  for (const part of value.split(",")) {
    const [id, statusName, substatusName, waitsFor = "", ...rest] = part.split(":");
    const issueId = Number(id);
    const status = ISSUE_STATUSES.find((name) => name === statusName);
    const substatus = ISSUE_SUBSTATUSES.find((name) => name === substatusName);
    if (!Number.isSafeInteger(issueId) || issueId <= 0 || !status || !substatus || rest.length > 0) return null;
    const resolution = status === "resolved" ? parseResolution(waitsFor) : null;
    const archive = status === "archived" ? parseArchiveRule(waitsFor) : null;
    if (resolution === undefined || archive === undefined) return null;
    if (status === "unresolved" && waitsFor !== "") return null;
    previous.push({ issueId, status, substatus, resolution, archive });
  }
  return previous;
}
