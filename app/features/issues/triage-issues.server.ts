import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import type { NewTriage, PreviousTriage } from "../../domain/issues/triage.ts";
import { type IssueFilter, listIssueIds, toBatches } from "./change-issues.server.ts";

/**
 * Sets the assignee or the priority of issues: those with these ids, or all that the filter finds.
 * @returns the number of issues that were meant, the previous values of those that changed, and how many were not changed because
 * the assignee does not see their project
 */
export async function triageIssues(
  workspace: Workspace,
  { issues, now, ...change }: NewTriage & { issues: readonly number[] | IssueFilter; now: number },
): Promise<{ matchingCount: number; previous: PreviousTriage[]; refusedCount: number }> {
  const { state, scope, user } = workspace;
  const issueIds = "query" in issues ? await listIssueIds(workspace, issues) : issues;
  const previous: PreviousTriage[] = [];
  let refusedCount = 0;
  for (const batch of toBatches(issueIds)) {
    const by = { userId: user?.id ?? null, at: now };
    const result = await state.triage.changeTriage(scope, { issueIds: batch, ...change, ...by });
    previous.push(...result.previous);
    refusedCount += result.refusedIds.length;
    await setImmediate();
  }
  return { matchingCount: issueIds.length, previous, refusedCount };
}

/** Undo: restores what `triageIssues` returned. Issues outside the workspace's scope are not changed. */
export async function restoreTriage(
  { state, scope, user }: Workspace,
  { previous, now }: { previous: readonly PreviousTriage[]; now: number },
): Promise<void> {
  for (const batch of toBatches(previous)) {
    await state.triage.restoreTriage(scope, batch, { userId: user?.id ?? null, at: now });
    await setImmediate();
  }
}
