import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { IssueStatus } from "../domain/issue.ts";
import type { ArchiveRule } from "../domain/issues/archive-rule.ts";
import { PRIORITIES, type Priority } from "../domain/issues/priority.ts";
import { API_SHARE_MS } from "../domain/issues/shared-issue.ts";
import { type AssigneeRef, type NewTriage, toAssigneeText } from "../domain/issues/triage.ts";
import type { Project } from "../domain/project.ts";
import type { ResolutionRequest } from "../domain/release.ts";
import { MAX_RELEASE_LENGTH } from "../domain/release-version.ts";
import { narrowScope } from "../domain/scope.ts";
import { mergeIssues } from "../features/grouping/merge-issues.server.ts";
import { changeIssues, type IssueFilter, listIssueIds, toBatches } from "../features/issues/change-issues.server.ts";
import { changeReader } from "../features/issues/change-reader.server.ts";
import { deleteIssues } from "../features/issues/delete-issues.server.ts";
import { findAssignee, toRef } from "../features/issues/find-assignee.server.ts";
import { shareIssue } from "../features/issues/share-issue.server.ts";
import { triageIssues } from "../features/issues/triage-issues.server.ts";
import { refusal } from "./answers.ts";
import { ARCHIVE_CONDITION, readArchiveRule, serializeArchiveRule } from "./archive-condition.ts";
import { askForSimilarRelease } from "./find-similar-releases.server.ts";
import { ISSUE_FILTER, toIssueFilter } from "./issue-filter.server.ts";
import { list } from "./query.ts";
import { API_STATUS, API_STATUSES, ISSUE_STATUS } from "./serialize-issue.ts";

/** The body of a change. Unknown fields are refused: otherwise a client would believe that they were obeyed. */
export const issueChange = z.strictObject({
  merge: z
    .union([z.literal(1), z.literal(true), z.literal("1")], "can only be 1")
    .optional()
    .describe(
      "makes one issue of those that are named by id; the one with most events goes on. Not beside other fields",
    ),
  assignedTo: z
    .string("must be a text: user:ID, team:ID, #team, me, an e-mail address or a name, or empty for nobody")
    .max(300)
    .nullish()
    .describe("`user:ID`, `team:ID`, `#team`, `me`, an e-mail address or a name; empty or null: nobody"),
  priority: z
    .enum(PRIORITIES, `must be ${PRIORITIES.join(", ")}, or null to let level and frequency decide`)
    .nullish()
    .describe("null: level and frequency decide"),
  snoozeDuration: z.null("is called ignoreDuration").optional(),
  ...ARCHIVE_CONDITION,
  substatus: z
    .enum(
      ["archived_until_escalating", "archived_forever", "archived_until_condition_met", "ongoing"],
      "can only be archived_until_escalating, archived_forever or archived_until_condition_met of an ignored issue, and ongoing of an unresolved one",
    )
    .nullish()
    .describe("of an ignored issue; `ongoing` is what an unresolved one is anyway"),
  isPublic: z
    .boolean()
    .optional()
    .describe(
      "Of one issue. true: makes a link for strangers that works for 30 days, and `shareId` of this answer alone is its token (`/share/issue/<shareId>`). false: ends all links of the issue",
    ),
  isBookmarked: z.boolean().optional().describe("By the token's person"),
  isSubscribed: z.boolean().optional().describe("By the token's person"),
  hasSeen: z.boolean().optional().describe("By the token's person"),
  status: z.enum(["resolvedInNextRelease", ...API_STATUSES]).optional(),
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

/** Changes the issues that the request names by id, or all that its filter finds. */
export async function changeNamedIssues(
  workspace: Workspace,
  {
    project,
    query,
    body,
    now,
  }: { project: Project | null; query: z.output<typeof SELECTION>; body: IssueChange; now: number },
): Promise<NamedIssuesAnswer> {
  const issues =
    query.id.length > 0
      ? await findByIds(workspace, query.id, project)
      : await toSelection(workspace, { project, query, now });
  if (body.merge !== undefined && Array.isArray(issues)) return await applyMerge(workspace, issues, { body, now });
  return await applyChange(workspace, issues, { body, now });
}

/** @throws a 400 answer, before anything is changed. */
async function applyMerge(
  workspace: Workspace,
  issueIds: readonly number[],
  { body: { merge: _, ...others }, now }: { body: IssueChange; now: number },
): Promise<NamedIssuesAnswer> {
  const other = Object.entries(others).find(([, value]) => value !== undefined);
  if (other) throw refusal(400, `${other[0]}: cannot be changed together with merge`);
  const merged = await mergeIssues(workspace, { issueIds, now });
  if (!merged.ok) throw refusal(merged.status, `merge: ${merged.message}`);
  const children = merged.merges.map(({ merged }) => String(merged.issueId));
  const merge = { parent: String(merged.targetId), children };
  return { merge, matchingCount: issueIds.length, changedCount: children.length };
}

interface NamedIssuesAnswer {
  merge?: { parent: string; children: string[] };
  status?: string;
  statusDetails?: object;
  assignedTo?: string | null;
  priority?: Priority | null;
  isBookmarked?: boolean;
  isSubscribed?: boolean;
  hasSeen?: boolean;
  matchingCount: number;
  changedCount: number;
}

/** @throws a 400 answer that names the field, before anything is changed. */
async function applyChange(
  workspace: Workspace,
  given: readonly number[] | IssueFilter,
  { body, now }: { body: IssueChange; now: number },
): Promise<NamedIssuesAnswer> {
  const { merge, assignedTo, priority, status, isPublic, isBookmarked, isSubscribed, hasSeen, ...conditions } = body;
  const reading = {
    ...(isBookmarked === undefined ? {} : { isBookmarked }),
    ...(isSubscribed === undefined ? {} : { isSubscribed }),
    ...(hasSeen === undefined ? {} : { hasSeen }),
  };
  const [readingField] = Object.keys(reading);
  if (readingField !== undefined && workspace.user === null)
    throw refusal(400, `${readingField}: needs a person, and this token stands for none`);
  if (isPublic !== undefined) throw refusal(400, "isPublic: is of one issue, in PUT of its own path");
  if (merge !== undefined) throw refusal(400, "merge: name the issues by id, in PUT of the list of issues");
  const triage = await toTriage(workspace, body);
  const changed = status === undefined ? refuseConditions(conditions) : toChange({ ...body, status }, now);
  if (changed === null && triage === null && readingField === undefined)
    throw refusal(
      400,
      "Name a field to change: status, assignedTo, priority, isBookmarked, isSubscribed, hasSeen or isPublic",
    );
  // The ids are read once, because a change of status may take issues out of what the query finds.
  const issues = "query" in given ? await listIssueIds(workspace, given) : given;
  if (changed?.resolution?.kind === "release") await refuseShortVersion(workspace, issues, changed.resolution.version);
  const answer: NamedIssuesAnswer = { matchingCount: issues.length, changedCount: 0 };
  const changedIds = new Set<number>();
  if (triage !== null) {
    await refuseBlindAssignee(workspace, { issues, assignee: triage.assignee ?? null, word: assignedTo ?? "" });
    const { previous } = await triageIssues(workspace, { issues, ...triage, now });
    for (const { issueId } of previous) changedIds.add(issueId);
    if (assignedTo !== undefined) answer.assignedTo = triage.assignee ? toAssigneeText(triage.assignee) : null;
    if (priority !== undefined) answer.priority = priority;
  }
  if (changed !== null) {
    const { statusDetails, ...change } = changed;
    const { previous } = await changeIssues(workspace, { issues, ...change, now });
    for (const { issueId } of previous) changedIds.add(issueId);
    answer.status = API_STATUS[change.status];
    answer.statusDetails = statusDetails;
  }
  if (readingField !== undefined) {
    await changeReader(workspace, { issues, ...reading, now });
    Object.assign(answer, reading);
  }
  return { ...answer, changedCount: changedIds.size };
}

/** Null: the body names neither an assignee nor a priority. */
async function toTriage(workspace: Workspace, { assignedTo, priority }: IssueChange): Promise<NewTriage | null> {
  if (assignedTo === undefined && priority === undefined) return null;
  const found = assignedTo === undefined ? undefined : await findAssignee(workspace, assignedTo ?? "");
  if (found && !found.ok) throw refusal(400, `assignedTo: ${found.message}`);
  return { ...(found ? { assignee: toRef(found.assignee) } : {}), ...(priority === undefined ? {} : { priority }) };
}

/** @throws a 400 answer if the assignee does not see the project of every issue. */
async function refuseBlindAssignee(
  { state, scope }: Workspace,
  { issues, assignee, word }: { issues: readonly number[]; assignee: AssigneeRef | null; word: string },
): Promise<void> {
  if (assignee === null) return;
  let blindCount = 0;
  for (const [projectId, count] of await countByProject({ state, scope }, issues))
    if (!(await state.triage.seesProject(scope, assignee, projectId))) blindCount += count;
  if (blindCount === 0) return;
  const what =
    issues.length === 1 ? "the project of this issue" : `the projects of ${blindCount} of the ${issues.length} issues`;
  throw refusal(400, `assignedTo: ${word} does not see ${what}; nothing was changed`);
}

/**
 * Refuses the short name of a release that exists, like `2.15.0` for `shop@2.15.0`. People may resolve an issue in a release that does not
 * exist yet, and only events of that release bring the issue back. So the short name would keep the issue quiet for ever.
 * @throws a 400 answer that names the release.
 */
async function refuseShortVersion(workspace: Workspace, issues: readonly number[], version: string): Promise<void> {
  const projectIds = [...(await countByProject(workspace, issues)).keys()];
  const scope = narrowScope(workspace.scope, projectIds);
  if ((await workspace.state.releases.getRelease(scope, version)) !== null) return;
  const asked = await askForSimilarRelease(workspace, scope, version);
  if (asked !== "") throw refusal(400, `statusDetails.inRelease: there is no release ${version}. ${asked}`);
}

async function countByProject(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  issues: readonly number[],
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const batch of toBatches(issues))
    for (const { projectId } of await state.issues.getIssues(scope, batch))
      counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
  return counts;
}

/** Returns null: the status is not changed. @throws a 400 answer for a condition without the status that it belongs to. */
function refuseConditions(conditions: Partial<IssueChange>): null {
  const named = Object.entries(conditions).find(([, value]) => value !== undefined && value !== null);
  if (named) throw refusal(400, `status: is needed beside ${named[0]}`);
  return null;
}

/** Deletes the issues that the request names by id, or all that its query finds. The request must have one of the two. */
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

/** Changes one issue. If `isPublic` made a link, returns the token of the link: this is the only time that it is told. */
export async function changeIssue(
  workspace: Workspace,
  issueId: number,
  { body: { isPublic, ...body }, now }: { body: IssueChange; now: number },
): Promise<{ shareId: string | null }> {
  const hasMore = Object.values(body).some((value) => value !== undefined);
  if (hasMore || isPublic === undefined) await applyChange(workspace, [issueId], { body, now });
  if (isPublic === undefined) return { shareId: null };
  if (!isPublic) {
    await workspace.state.shares.endShares(workspace.scope, { issueId, now });
    return { shareId: null };
  }
  const shared = await shareIssue(workspace, { issueId, lifetimeMs: API_SHARE_MS, now });
  if (!shared.ok) throw refusal(shared.status, `isPublic: ${shared.message}`);
  return { shareId: shared.token };
}

/** The ids that exist. If the path names a project, only ids of that project. */
async function findByIds({ state, scope }: Workspace, ids: string[], project: Project | null): Promise<number[]> {
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined) throw refusal(400, `id: must be a number, not "${wrong.slice(0, 40)}"`);
  const issues = await state.issues.getIssues(scope, ids.map(Number));
  return issues.filter((issue) => project === null || issue.projectId === project.id).map(({ id }) => id);
}

/** Reads which issues are meant. For a whole organization a query is required, so that nobody changes it by accident. The query may be empty. */
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
 * The new status, the condition of a resolved or archived issue, and the same in the words of the web API.
 * @throws a 400 answer that names the field, so that no client believes that a wrong condition was obeyed.
 */
function toChange(
  body: IssueChange & { status: NonNullable<IssueChange["status"]> },
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
  if (substatus === "ongoing") {
    if (status !== "unresolved") throw refusal(400, "substatus: ongoing is of an unresolved issue");
  } else if (substatus && !isArchived) throw refusal(400, `substatus: ${substatus} is of an ignored issue`);
  if ((substatus === "archived_forever" || substatus === "archived_until_escalating") && archive !== null)
    throw refusal(400, `substatus: ${substatus} cannot be combined with a condition`);
  if (substatus === "archived_until_condition_met" && archive === null)
    throw refusal(400, "substatus: archived_until_condition_met needs a condition, like ignoreDuration");
  if (substatus === "archived_until_escalating")
    return { status: "archived", resolution: null, archive: { kind: "escalates" }, statusDetails: {} };
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
