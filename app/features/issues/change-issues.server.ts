import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import type { IssueStatus } from "../../domain/issue.ts";
import type { ArchiveRule } from "../../domain/issues/archive-rule.ts";
import type { PreviousStatus } from "../../domain/issues/change-status.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import type { Scope } from "../../domain/scope.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";

/** Issues of one transaction: a few hundredths of a second in which the digest waits. */
const BATCH_SIZE = 100;

/** Issues that a list would show, on all its pages. */
export interface IssueFilter {
  scope: Scope;
  query: Omit<IssueQuery, "sort" | "cursor" | "limit">;
}

/**
 * Gives issues a status: those with these ids, or all that the filter finds, however many. All of them are found first, and
 * then changed in batches, with room for others between: who is cut off half-way may ask again.
 * @returns how many were meant, and what those that changed were before.
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
    /** Only with `resolved`. Null: time alone decides. Absent: the same, but an issue that is resolved keeps its own. */
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

/** Undo: puts back what `changeIssues` gave. Issues out of the workspace's scope stay as they are. */
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

/** In the order of their first event, which no change of status moves. */
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
    // A list whose rest is gone begins again at its start.
    cursor = issueIds.size > sizeBefore ? page.nextCursor : null;
    await setImmediate();
  } while (cursor !== null);
  return [...issueIds];
}
