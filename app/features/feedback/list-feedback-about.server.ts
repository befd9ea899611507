import type { Workspace } from "../../access/workspace.ts";
import type { Feedback } from "../../domain/feedback/feedback.ts";

const SHOWN = 3;
/** The most feedback about one event. */
const MAX_OF_EVENT = 10;

export type FeedbackLine = Pick<Feedback, "id" | "name" | "email" | "message" | "receivedAt">;

export interface FeedbackAboutIssue {
  count: number;
  /** The newest three pieces. */
  latest: FeedbackLine[];
}

/** What people wrote about an issue, without *Spam*. */
export async function listFeedbackAboutIssue(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  issueId: number,
): Promise<FeedbackAboutIssue> {
  const { feedback, count } = await state.feedback.listFeedbackAbout(scope, { issueId }, SHOWN);
  return { count, latest: feedback.map(toLine) };
}

/** What people wrote about an event, newest first, without *Spam*. */
export async function listFeedbackAboutEvent(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  event: { projectId: number; eventId: string },
): Promise<FeedbackLine[]> {
  return (await state.feedback.listFeedbackAbout(scope, event, MAX_OF_EVENT)).feedback.map(toLine);
}

function toLine({ id, name, email, message, receivedAt }: Feedback): FeedbackLine {
  return { id, name, email, message, receivedAt };
}
