import type { Workspace } from "../../access/workspace.ts";

/**
 * Reads events of something in the state store, like an issue. State is written a moment before the events. So if the answer is
 * empty, this waits, for at most two seconds, until the events of that state are stored, and reads again. If retention has deleted
 * the events, it waits only for the batch that is being written.
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
