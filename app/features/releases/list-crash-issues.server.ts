import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { type IssueItem, toIssueItems } from "./to-issue-items.server.ts";

const MAX_ISSUES = 5;

/** Unhandled issues with an event since then, those with most events first. They may have ended the sessions that crashed. */
export async function listCrashIssues(
  workspace: Workspace,
  scope: Scope,
  { from, release, environments }: { from: number; release?: string; environments?: string[] },
): Promise<IssueItem[]> {
  const { issues } = await workspace.state.issues.listIssues(scope, {
    ...(release !== undefined && { release }),
    ...(environments && { environments }),
    isUnhandled: true,
    from,
    to: null,
    sort: "events",
    cursor: null,
    limit: MAX_ISSUES,
  });
  return await toIssueItems(
    workspace,
    issues.map(({ id }) => id),
  );
}
