import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { IssueStatus } from "../domain/issue.ts";
import type { ArchiveRule } from "../domain/issues/archive-rule.ts";
import type { Project } from "../domain/project.ts";
import type { ResolutionRequest } from "../domain/release.ts";
import { MAX_RELEASE_LENGTH } from "../domain/release-version.ts";
import { changeIssues, type IssueFilter } from "../features/issues/change-issues.server.ts";
import { deleteIssues } from "../features/issues/delete-issues.server.ts";
import { refusal } from "./answers.ts";
import { ARCHIVE_CONDITION, readArchiveRule, serializeArchiveRule } from "./archive-condition.ts";
import { ISSUE_FILTER, toIssueFilter } from "./issue-filter.server.ts";
import { list } from "./query.ts";
import { API_STATUS, API_STATUSES, ISSUE_STATUS } from "./serialize-issue.ts";

/** A field that is not here is refused: a client must not believe that it was obeyed. */
export const issueChange = z.strictObject({
  assignedTo: z.literal("", "issues cannot be assigned in this version of Culprit").nullish(),
  priority: z.null("issues have no priority in this version of Culprit").optional(),
  snoozeDuration: z.null("is called ignoreDuration").optional(),
  ...ARCHIVE_CONDITION,
  substatus: z
    .enum(
      ["archived_forever", "archived_until_condition_met"],
      "can only be archived_forever or archived_until_condition_met in this version of Culprit",
    )
    .nullish()
    .describe("of an archived issue"),
  status: z.enum(["resolvedInNextRelease", ...API_STATUSES]),
  statusDetails: z
    .strictObject({
      inNextRelease: z.boolean().optional(),
      inRelease: z.string().min(1).max(MAX_RELEASE_LENGTH).optional().describe("a version, or `latest`"),
      ...ARCHIVE_CONDITION,
      inCommit: z.strictObject({ commit: z.string().min(1).max(64), repository: z.string().max(200) }).optional(),
    })
    .nullish(),
});
export type IssueChange = z.output<typeof issueChange>;

export const SELECTION = z.object({
  ...ISSUE_FILTER,
  id: list.describe("Repeatable; the rest then only limits the project"),
  status: z.enum(API_STATUSES).optional().describe("Those that have it, when no id is given"),
});

/** Changes the issues that are named by id, or all that the filter finds. */
export async function changeNamedIssues(
  workspace: Workspace,
  {
    project,
    query,
    body,
    now,
  }: { project: Project | null; query: z.output<typeof SELECTION>; body: IssueChange; now: number },
): Promise<{ status: string; statusDetails: object; matchingCount: number; changedCount: number }> {
  const { statusDetails, ...change } = toChange(body, now);
  const issues =
    query.id.length > 0
      ? await findByIds(workspace, query.id, project)
      : await toSelection(workspace, { project, query, now });
  const { matchingCount, previous } = await changeIssues(workspace, { issues, ...change, now });
  return { status: API_STATUS[change.status], statusDetails, matchingCount, changedCount: previous.length };
}

/** Deletes the issues that are named by id, or all that the query finds: one of the two is required. */
export async function deleteNamedIssues(
  workspace: Workspace,
  { project, query, now }: { project: Project | null; query: z.output<typeof SELECTION>; now: number },
): Promise<void> {
  if (query.id.length === 0 && query.query === undefined) throw refusal(400, "id or query is required");
  const issues =
    query.id.length > 0
      ? await findByIds(workspace, query.id, project)
      : await toSelection(workspace, { project, query, now });
  await deleteIssues(workspace, { issues, now });
}

export async function changeIssue(
  workspace: Workspace,
  issueId: number,
  { body, now }: { body: IssueChange; now: number },
): Promise<void> {
  const { statusDetails: _, ...change } = toChange(body, now);
  await changeIssues(workspace, { issues: [issueId], ...change, now });
}

/** Those that are there, and of the project when the path names one. */
async function findByIds({ state, scope }: Workspace, ids: string[], project: Project | null): Promise<number[]> {
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined) throw refusal(400, `id: must be a number, not "${wrong.slice(0, 40)}"`);
  const issues = await state.issues.getIssues(scope, ids.map(Number));
  return issues.filter((issue) => project === null || issue.projectId === project.id).map(({ id }) => id);
}

/** Nothing changes a whole organization by accident: there a query is needed, which may be empty. */
async function toSelection(
  workspace: Workspace,
  { project, query, now }: { project: Project | null; query: z.output<typeof SELECTION>; now: number },
): Promise<IssueFilter> {
  if (project === null && query.query === undefined) throw refusal(400, "id or query is required");
  const filter = await toIssueFilter(workspace, { project, query: { ...query, query: query.query ?? "" }, now });
  if (query.status === undefined) return filter;
  const status = ISSUE_STATUS[query.status];
  const { statuses } = filter.query;
  if (statuses && statuses.length > 0 && !statuses.includes(status))
    throw refusal(400, `status: the query leaves no issue that is ${query.status}`);
  return { ...filter, query: { ...filter.query, statuses: [status] } };
}

/**
 * The status, what a resolved or archived issue waits for, and the same as clients say it.
 * @throws a 400 answer that names the field: a client must not believe that a condition was obeyed.
 */
function toChange(
  body: IssueChange,
  now: number,
): {
  status: IssueStatus;
  resolution: ResolutionRequest | null;
  archive?: ArchiveRule | null;
  statusDetails: object;
} {
  const { status, statusDetails, substatus } = body;
  const archive = readArchiveRule(body, now);
  const isArchived = status !== "resolvedInNextRelease" && ISSUE_STATUS[status] === "archived";
  if (archive !== null && !isArchived) throw refusal(400, "status: must be ignored for the condition that is given");
  if (substatus && !isArchived) throw refusal(400, `substatus: ${substatus} is of an ignored issue`);
  if (substatus === "archived_forever" && archive !== null)
    throw refusal(400, "substatus: archived_forever cannot be combined with a condition");
  if (substatus === "archived_until_condition_met" && archive === null)
    throw refusal(400, "substatus: archived_until_condition_met needs a condition, like ignoreDuration");
  if (isArchived) {
    const asTold = archive === null ? {} : serializeArchiveRule(archive);
    return { status: "archived", resolution: null, archive, statusDetails: asTold };
  }
  if (status === "resolvedInNextRelease")
    return { status: "resolved", resolution: { kind: "next_release" }, statusDetails: { inNextRelease: true } };
  const known = ISSUE_STATUS[status];
  const resolution = known === "resolved" ? toResolution(statusDetails ?? {}) : null;
  return { status: known, resolution, statusDetails: resolution ? (statusDetails ?? {}) : {} };
}

function toResolution({
  inNextRelease,
  inRelease,
  inCommit,
}: NonNullable<IssueChange["statusDetails"]>): ResolutionRequest | null {
  if (inNextRelease) return { kind: "next_release" };
  if (inCommit) return { kind: "commit", commitId: inCommit.commit, repository: inCommit.repository };
  if (inRelease === undefined) return null;
  return inRelease === "latest" ? { kind: "latest_release" } : { kind: "release", version: inRelease };
}
