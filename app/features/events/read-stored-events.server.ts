import type { Workspace } from "../../access/workspace.ts";

/**
 * Reads events of something that state knows, like an issue. State is written a moment before the events are: when the
 * answer is empty, what state had applied is waited for, at most two seconds, and the answer is read again. Where
 * retention took the events, nothing is waited for but the batch that is being written just then.
 */
export async function readStoredEvents<Answer>(
  workspace: Pick<Workspace, "whenEventsStored">,
  read: () => Promise<Answer>,
  isEmpty: (answer: Answer) => boolean,
): Promise<Answer> {
  const answer = await read();
  if (!isEmpty(answer)) return answer;
  await workspace.whenEventsStored();
  return read();
}
