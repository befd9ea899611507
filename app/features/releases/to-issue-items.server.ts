import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";

export type IssueItem = Pick<
  Issue,
  | "id"
  | "shortId"
  | "title"
  | "type"
  | "value"
  | "culprit"
  | "level"
  | "status"
  | "substatus"
  | "isUnhandled"
  | "lastSeenAt"
  | "eventCount"
  | "userCount"
>;

/** Characters of an issue's message that fit into a row. */
const MAX_VALUE_LENGTH = 300;

/** The issues in the order of the ids. */
export async function toIssueItems(workspace: Workspace, issueIds: number[]): Promise<IssueItem[]> {
  const { state, scope } = workspace;
  const issues = await state.issues.getIssues(scope, issueIds);
  return issues.map((issue) => ({
    id: issue.id,
    shortId: issue.shortId,
    title: issue.title,
    type: issue.type,
    value: (issue.value.split("\n", 1)[0] ?? "").slice(0, MAX_VALUE_LENGTH),
    culprit: issue.culprit,
    level: issue.level,
    status: issue.status,
    substatus: issue.substatus,
    isUnhandled: issue.isUnhandled,
    lastSeenAt: issue.lastSeenAt,
    eventCount: issue.eventCount,
    userCount: issue.userCount,
  }));
}
