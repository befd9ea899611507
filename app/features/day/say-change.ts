import type { Issue } from "../../domain/issue.ts";

const STATUS_WORDS: Readonly<Record<Issue["status"], string>> = {
  resolved: "Resolved since you looked",
  archived: "Archived since you looked",
  unresolved: "Reopened since you looked",
};

const BACK_WORDS: Readonly<Partial<Record<Issue["substatus"], string>>> = {
  regressed: "Came back since you looked",
  escalating: "Escalated since you looked",
};

/**
 * What happened to an issue since the person looked at it, in words. Null: nothing. `acts`: what others did since then, newest first.
 * `seenAt` null: the person never looked, and only the acts of others count as new. Instants are milliseconds since 1970.
 */
export function sayChange(
  issue: Pick<Issue, "status" | "substatus" | "statusChangedAt" | "firstSeenAt" | "lastSeenAt">,
  seenAt: number | null,
  acts: readonly string[],
): string | null {
  const said = sayActs(acts);
  if (seenAt === null) return said && `Not looked at yet: ${said}`;
  const parts: string[] = [];
  // If an issue never changed its status, the time of its status is that of its first event.
  if (issue.statusChangedAt > seenAt && issue.statusChangedAt > issue.firstSeenAt) {
    const isBack = issue.status === "unresolved" && BACK_WORDS[issue.substatus];
    // Acts of people say the new status themselves, with names.
    if (isBack || said === null) parts.push(isBack || STATUS_WORDS[issue.status]);
  } else if (issue.lastSeenAt > seenAt) parts.push("Happened again since you looked");
  if (said) parts.push(said);
  return parts.length > 0 ? parts.join(", ") : null;
}

function sayActs([newest, ...others]: readonly string[]): string | null {
  if (newest === undefined) return null;
  if (others.length === 0) return newest;
  return `${newest} and ${others.length === 1 ? "1 more change" : `${others.length} more changes`}`;
}
