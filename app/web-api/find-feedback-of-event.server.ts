import type { Workspace } from "../access/workspace.ts";
import type { Feedback } from "../domain/feedback/feedback.ts";
import { readFeedbackEventId, readFeedbackIssueId } from "../domain/feedback/feedback-issue-id.ts";
import type { Scope } from "../domain/scope.ts";
import { toEventId } from "../features/events/event-id.ts";

type FeedbackWorkspace = Pick<Workspace, "state" | "events">;

/**
 * The feedback whose event has the id; null: none. An error of the id goes first: what its SDK sends along about it, in the same envelope, has
 * the same id.
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

/** The feedback that a search names by its short id or the id of its event, and nothing else; null: it names none. */
export async function findSearchedFeedback(
  workspace: FeedbackWorkspace,
  scope: Scope,
  search: string,
): Promise<Feedback | null> {
  const text = search.trim();
  // `U1` alone is a word that people may look for.
  const id = text.includes("-") ? readFeedbackIssueId(text) : null;
  return id === null ? findFeedbackOfEvent(workspace, scope, text) : workspace.state.feedback.getFeedback(scope, id);
}
