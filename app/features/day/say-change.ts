import type { Issue } from "../../domain/issue.ts";

const STATUS_WORDS: Readonly<Record<Issue["status"], string>> = {
  resolved: "Resolved since you looked",
  archived: "Archived since you looked",
  unresolved: "Reopened since you looked",
};

/**
 * What has happened to an issue since somebody looked at it, in words; null: nothing. `comment`: the newest one of somebody else.
 * Instants are milliseconds since 1970.
 */
export function sayChange(
  issue: Pick<Issue, "status" | "substatus" | "statusChangedAt" | "firstSeenAt" | "lastSeenAt">,
  seenAt: number,
  comment: { at: number; by: string } | null,
): string | null {
  const parts: string[] = [];
  // An issue that never had another status has that of its first event.
  if (issue.statusChangedAt > seenAt && issue.statusChangedAt > issue.firstSeenAt) {
    const isBack = issue.status === "unresolved" && issue.substatus === "regressed";
    parts.push(isBack ? "Came back since you looked" : STATUS_WORDS[issue.status]);
  } else if (issue.lastSeenAt > seenAt) parts.push("Happened again since you looked");
  if (comment && comment.at > seenAt) parts.push(`${comment.by} commented`);
  return parts.length > 0 ? parts.join(", ") : null;
}
