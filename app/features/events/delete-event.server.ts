import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { deleteIssues } from "../issues/delete-issues.server.ts";

export type DeleteEventResult =
  /** `isIssueDeleted`: it was the last event of its issue, which was deleted with it. */
  { ok: true; issueId: number; shortId: string | null; isIssueDeleted: boolean } | { ok: false };

/**
 * Deletes an event with its attachments and user feedback. Its issue no longer counts the event, and takes its texts from the
 * newest remaining event. If there is none, the issue is deleted, too. `ok` false: there is no such event.
 */
export async function deleteEvent(
  workspace: Workspace,
  { eventId, projectId, now }: { eventId: string; projectId: number; now: number },
): Promise<DeleteEventResult> {
  const { state, events, scope, user } = workspace;
  // Another event of the issue may be on its way to the event store.
  await workspace.whenEventsStored();
  const { projectIds } = narrowScope(scope, [projectId]);
  const row = await events.getEvent(eventId, projectIds);
  if (row === null) return { ok: false };
  const { issueId } = row;
  const issue = await state.issues.getIssue(scope, issueId);
  const shortId = issue?.shortId ?? null;
  const stored = await events.count({ projectIds, issueId, from: null, to: null });
  if (issue !== null && stored.events <= 1) {
    await deleteIssues(workspace, { issues: [issue.id], now });
    return { ok: true, issueId, shortId, isIssueDeleted: true };
  }
  const request = {
    projectId,
    eventIds: [eventId],
    issueId,
    label: shortId ?? "an event",
    userId: user?.id ?? null,
    at: now,
  };
  await state.deletions.deleteEvents(scope, request);
  await workspace.hideDeleted();
  return { ok: true, issueId, shortId, isIssueDeleted: false };
}
