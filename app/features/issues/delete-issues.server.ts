import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import { type IssueFilter, listIssueIds } from "./change-issues.server.ts";

/** Issues that one transaction deletes, as for a change of status. */
const BATCH_SIZE = 100;

/**
 * Deletes issues with all their events: those with these ids, or all that the filter finds. When it resolves, they are gone from
 * every page; payload files are removed within a day. Returns the number of issues that there were.
 */
export async function deleteIssues(
  workspace: Workspace,
  { issues, now }: { issues: readonly number[] | IssueFilter; now: number },
): Promise<{ deletedCount: number; shortIds: string[] }> {
  const { state, scope, user } = workspace;
  const issueIds = "query" in issues ? await listIssueIds(workspace, issues) : issues;
  const shortIds: string[] = [];
  for (let start = 0; start < issueIds.length; start += BATCH_SIZE) {
    const batch = issueIds.slice(start, start + BATCH_SIZE);
    const deleted = await state.deletions.deleteIssues(scope, { issueIds: batch, userId: user?.id ?? null, at: now });
    for (const { shortId } of deleted) shortIds.push(shortId);
    await setImmediate();
  }
  await workspace.hideDeleted();
  return { deletedCount: shortIds.length, shortIds };
}
