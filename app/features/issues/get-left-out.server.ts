import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { IssueHour } from "../../domain/volume/decide-volume.ts";
import type { IssuePageFilter } from "./issue-page-filter.ts";

/** Events of the issue that were counted and not stored. */
export interface LeftOut {
  /** Such events of all time. */
  notStored: number;
  /** Events of the last 24 hours. */
  lastDay: IssueHour;
}

/** Null: every event was stored. */
export async function getLeftOut(
  { state, scope }: Workspace,
  { id: issueId, projectId }: Pick<Issue, "id" | "projectId">,
  now: number,
): Promise<LeftOut | null> {
  const { leftOut } = await state.volumes.sumIssue(scope, { projectId, issueId, since: 0 });
  if (leftOut === 0) return null;
  const lastDay = await state.volumes.sumIssue(scope, { projectId, issueId, since: now - DAY_MS });
  return { notStored: leftOut, lastDay };
}

/**
 * Events by bucket of the graph, including those that were not stored. Those are counted by whole hours, and not by tag. Null: the
 * graph can only show stored events.
 */
export async function countWithLeftOut(
  { state, scope }: Workspace,
  issueId: number,
  { range: { graph }, environment, tags }: Pick<IssuePageFilter, "range" | "environment" | "tags">,
): Promise<number[] | null> {
  if (tags.length > 0 || graph.bucketMs % HOUR_MS !== 0) return null;
  const trends = await state.issues.listTrends(scope, [issueId], {
    ...graph,
    ...(environment === "" ? {} : { environments: [environment] }),
  });
  return trends.get(issueId) ?? null;
}
