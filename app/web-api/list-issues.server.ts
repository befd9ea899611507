import type { Workspace } from "../access/workspace.ts";
import type { Issue } from "../domain/issue.ts";
import type { Project } from "../domain/project.ts";
import { hasRight, type Scope } from "../domain/scope.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import { suggestOwners } from "../ownership/suggest-owners.ts";
import { NO_READER } from "../stores/state/comment-store.ts";
import type { IssuePage, IssueQuery } from "../stores/state/issue-store.ts";
import { serializeIssue } from "./serialize-issue.ts";

const MAX_SEEN_BY = 50;

interface SerializeContext {
  workspace: Workspace;
  baseUrl: string;
  now: number;
}

/** A page of issues with their counts of the last day. */
export async function listIssues(context: SerializeContext, chosen: Scope, query: IssueQuery) {
  const { state, scope } = context.workspace;
  const page: IssuePage = await state.issues.listIssues(chosen, query);
  const projects = new Map((await state.projects.listProjects(scope)).map((project) => [project.id, project]));
  return { ...page, issues: await serializeIssues(context, page.issues, projects) };
}

export async function serializeOneIssue(context: SerializeContext, named: Issue, project: Project) {
  const { state, scope } = context.workspace;
  // This is read before the issue: if it is settled now, the counts that are read afterwards are right.
  const isSettled = (await state.issues.listUnsettled(scope, named.id)).length === 0;
  const issue = (await state.issues.getIssue(scope, named.id)) ?? named;
  const [one] = await serializeIssues(context, [issue], new Map([[project.id, project]]), true);
  return one && { ...one, isSettled };
}

async function serializeIssues(
  { workspace, baseUrl, now }: SerializeContext,
  issues: readonly Issue[],
  projects: ReadonlyMap<number, Project>,
  isWhole = false,
) {
  const to = Math.ceil((now + 1) / HOUR_MS) * HOUR_MS;
  const from = to - DAY_MS;
  const ids = issues.map(({ id }) => id);
  const trends = await workspace.state.issues.listTrends(workspace.scope, ids, { from, to, bucketMs: HOUR_MS });
  const { state, scope, user } = workspace;
  const [emails, readers, comments, shared, stored] = await Promise.all([
    findAssigneeEmails(workspace, issues),
    user && state.comments.listReaders(scope, user.id, ids),
    state.comments.countComments(scope, ids),
    state.shares.listSharedIssues(scope, ids, now),
    state.suggestions.listSuggestions(scope, ids),
  ]);
  const [only] = isWhole ? issues : [];
  const [seenBy, suggested] = only
    ? await Promise.all([state.comments.listSeenBy(scope, only.id, MAX_SEEN_BY), suggestOwners(workspace, only)])
    : [];
  const toReading = (issueId: number) => ({
    reader: user && (readers?.get(issueId) ?? NO_READER),
    commentCount: comments.get(issueId) ?? 0,
    isShared: shared.has(issueId),
    ...(seenBy && { seenBy }),
  });
  return issues.flatMap((issue) => {
    const owners = suggested ?? stored.get(issue.id) ?? [];
    const project = projects.get(issue.projectId);
    const counts = trends.get(issue.id) ?? [];
    const stats = counts.map((count, index): [number, number] => [(from + index * HOUR_MS) / 1000, count]);
    return project
      ? [serializeIssue(issue, project, { baseUrl, stats, emails, suggested: owners, reading: toReading(issue.id) })]
      : [];
  });
}

/** Addresses of the assignees by user id. Empty: the caller may not read members. */
async function findAssigneeEmails({ state, scope }: Workspace, issues: readonly Issue[]): Promise<Map<number, string>> {
  const ids = new Set(issues.flatMap(({ assignee }) => (assignee?.kind === "user" ? assignee.id : [])));
  if (ids.size === 0 || !hasRight(scope, "member:read")) return new Map();
  const members = await Promise.all([...ids].map((id) => state.members.getMember(scope, id)));
  return new Map(members.flatMap((member) => (member ? [[member.userId, member.email] as const] : [])));
}
