import type { Workspace } from "../access/workspace.ts";
import type { Feedback, FeedbackStatus } from "../domain/feedback/feedback.ts";
import type { IssueStatus } from "../domain/issue.ts";
import { findAssignee, toRef } from "../features/issues/find-assignee.server.ts";
import { refusal } from "./answers.ts";
import type { IssueChange } from "./change-issues.server.ts";
import { ISSUE_STATUS } from "./serialize-issue.ts";

const FEEDBACK_STATUS: Record<IssueStatus, FeedbackStatus> = {
  unresolved: "unresolved",
  resolved: "resolved",
  archived: "spam",
};
/** The substatus that each status of feedback has anyway. Tools send it along with the status. */
const SUBSTATUS: Partial<Record<IssueStatus, string>> = { unresolved: "ongoing", archived: "archived_forever" };

/**
 * Changes feedback as a request for an issue asks, and returns the feedback as it is afterwards.
 * @throws a 400 answer, before anything is changed.
 */
export async function changeFeedbackIssue(
  workspace: Workspace,
  feedback: Feedback,
  { body, now }: { body: IssueChange; now: number },
): Promise<Feedback> {
  const { status: named, assignedTo, hasSeen, substatus, statusDetails, ...others } = body;
  const [other] = Object.entries({ ...others, ...statusDetails }).find(([, value]) => value != null) ?? [];
  if (other !== undefined) throw refusal(400, `${other}: cannot be changed of feedback`);
  if (named === "resolvedInNextRelease") throw refusal(400, "status: feedback can be resolved, unresolved or ignored");
  const status = named && ISSUE_STATUS[named];
  if (substatus != null && (status === undefined || substatus !== SUBSTATUS[status]))
    throw refusal(
      400,
      "substatus: of feedback it can only be archived_forever with ignored, or ongoing with unresolved",
    );
  if (status === undefined && assignedTo === undefined && hasSeen === undefined)
    throw refusal(400, "Name a field to change: status, assignedTo or hasSeen");
  const found = assignedTo === undefined ? undefined : await findAssignee(workspace, assignedTo ?? "");
  if (found && !found.ok) throw refusal(400, `assignedTo: ${found.message}`);
  const { state, scope, user } = workspace;
  const { refusedIds } = await state.feedback.changeFeedback(scope, {
    ids: [feedback.id],
    ...(status && { status: FEEDBACK_STATUS[status] }),
    ...(hasSeen !== undefined && { isRead: hasSeen }),
    ...(found && { assignee: toRef(found.assignee) }),
    userId: user?.id ?? null,
    at: now,
  });
  if (refusedIds.length > 0)
    throw refusal(400, `assignedTo: ${assignedTo} does not see the project of this feedback; nothing was changed`);
  return (await state.feedback.getFeedback(scope, feedback.id)) ?? feedback;
}
