import type { Workspace } from "../access/workspace.ts";
import type { Feedback } from "../domain/feedback/feedback.ts";
import { readFeedbackEventId, readFeedbackIssueId } from "../domain/feedback/feedback-issue-id.ts";
import type { Scope } from "../domain/scope.ts";
import { toEventId } from "../features/events/event-id.ts";

type FeedbackWorkspace = Pick<Workspace, "state" | "events">;

/**
 * Finds the feedback whose event has the id. Null: there is none, or an error has the same id. The latter happens if the SDK sends feedback
 * about an error in the error's envelope: then the id means the error.
 */
export async function findFeedbackOfEvent(
  { state, events }: FeedbackWorkspace,
  scope: Scope,
  text: string,
): Promise<Feedback | null> {
  const eventId = toEventId(text);
  if (eventId === null) return null;
  const sent = await state.feedback.getFeedbackByEvent(scope, eventId);
  if (sent !== null) return (await events.getEvent(eventId, scope.projectIds)) === null ? sent : null;
  for (const id of readFeedbackEventId(eventId)) {
    const feedback = await state.feedback.getFeedback(scope, id);
    if (feedback !== null && feedback.eventId === null) return feedback;
  }
  return null;
}

/** Finds the feedback, if the search is its short id or the id of its event and nothing else. Null: the search is something else. */
export async function findSearchedFeedback(
  workspace: FeedbackWorkspace,
  scope: Scope,
  search: string,
): Promise<Feedback | null> {
  const text = search.trim();
  // `U1` without a dash may be a word that people look for.
  const id = text.includes("-") ? readFeedbackIssueId(text) : null;
  return id === null ? findFeedbackOfEvent(workspace, scope, text) : workspace.state.feedback.getFeedback(scope, id);
}
