import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import type { IssueStatus } from "../../domain/issue.ts";
import type { ArchiveRule } from "../../domain/issues/archive-rule.ts";
import type { PreviousStatus } from "../../domain/issues/change-status.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import type { Scope } from "../../domain/scope.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";

/** Issues that one transaction changes. It takes a few hundredths of a second, in which the digest waits. */
const BATCH_SIZE = 100;

/** The filter of an issue list, for all its pages. */
export interface IssueFilter {
  scope: Scope;
  query: Omit<IssueQuery, "sort" | "cursor" | "limit">;
}

/**
 * Sets the status of issues: those with these ids, or all that the filter finds, however many. It finds all of them first, then
 * changes them in batches, with pauses for other work. After an interruption the caller may send the same request again.
 * @returns the number of issues that were meant, and the previous status of those that changed
 */
export async function changeIssues(
  workspace: Workspace,
  {
    issues,
    now,
    ...change
  }: {
    issues: readonly number[] | IssueFilter;
    status: IssueStatus;
    /**
     * Only with `resolved`: what the issue waits for. Null: only the time decides. Absent: the same, but an issue that is already
     * resolved keeps its resolution.
     */
    resolution?: ResolutionRequest | null;
    /** Only with `archived`: what brings the issues back. Null and absent: nothing does. */
    archive?: ArchiveRule | null;
    /** Milliseconds since 1970. */
    now: number;
  },
): Promise<{ matchingCount: number; previous: PreviousStatus[] }> {
  const { state, scope, user } = workspace;
  const issueIds = "query" in issues ? await listIssueIds(workspace, issues) : issues;
  const previous: PreviousStatus[] = [];
  for (const batch of toBatches(issueIds)) {
    const by = { userId: user?.id ?? null, at: now };
    previous.push(...(await state.issues.changeIssueStatus(scope, { issueIds: batch, ...change, ...by })));
    await setImmediate();
  }
  return { matchingCount: issueIds.length, previous };
}

/** Undo: restores the statuses that `changeIssues` returned. Issues outside the workspace's scope are not changed. */
export async function restoreIssues(
  { state, scope, user }: Workspace,
  { previous, now }: { previous: readonly PreviousStatus[]; now: number },
): Promise<void> {
  for (const batch of toBatches(previous)) {
    await state.issues.restoreIssueStatuses(scope, batch, { userId: user?.id ?? null, at: now });
    await setImmediate();
  }
}

export function* toBatches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}

/** Ids in the order of first events, which a change of status does not affect. */
export async function listIssueIds(
  { state }: Pick<Workspace, "state">,
  { scope, query }: IssueFilter,
): Promise<number[]> {
  const issueIds = new Set<number>();
  let cursor: string | null = null;
  do {
    const page = await state.issues.listIssues(scope, { ...query, sort: "first_seen", cursor, limit: 100 });
    const sizeBefore = issueIds.size;
    for (const { id } of page.issues) issueIds.add(id);
    // If the rest of a list is gone, its next page is the first one again.
    cursor = issueIds.size > sizeBefore ? page.nextCursor : null;
    await setImmediate();
  } while (cursor !== null);
  return [...issueIds];
}
