import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../../engine/engine.ts";

/** Longer than any batch of the digest takes to be written, and short enough for somebody who looks at a page. */
const MAX_WAIT_MS = 2_000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 100;

type StoresOfEvents = Pick<Engine, "state" | "events" | "journalId">;

/**
 * Reads events of something that state knows, like an issue. State is written a moment before the events are: when the
 * answer is empty, what state had applied is waited for, at most two seconds, and the answer is read again. Where
 * retention took the events, nothing is waited for but the batch that is being written just then.
 */
export async function readStoredEvents<Answer>(
  stores: StoresOfEvents,
  read: () => Promise<Answer>,
  isEmpty: (answer: Answer) => boolean,
): Promise<Answer> {
  const answer = await read();
  if (!isEmpty(answer)) return answer;
  await waitForEvents(stores);
  return read();
}

async function waitForEvents({ state, events, journalId }: StoresOfEvents): Promise<void> {
  const wanted = await state.batches.appliedSequence(journalId);
  let waitedMs = 0;
  for (let pauseMs = FIRST_PAUSE_MS; waitedMs < MAX_WAIT_MS; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    if ((await events.appliedSequence(journalId)) >= wanted) return;
    await sleep(pauseMs);
    waitedMs += pauseMs;
  }
}
