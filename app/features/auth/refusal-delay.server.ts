import { setTimeout as sleep } from "node:timers/promises";

/** Delays vary, because senders that were refused together come back together: sixteen at once take 16 to 40 ms of the main thread. */
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 2_000;
/** Refusals that are held back at once, with a connection and some KB each. Further ones are sent at once. */
const MAX_DELAYED = 128;

let delayed = 0;

/**
 * Holds a refusal back for one to two seconds. Otherwise a sender that tries again at once would keep the main thread busy with
 * refusals alone, hundreds a second.
 */
export async function delayRefusal(signal: AbortSignal): Promise<void> {
  if (delayed >= MAX_DELAYED) return;
  delayed += 1;
  try {
    await sleep(MIN_DELAY_MS + Math.random() * (MAX_DELAY_MS - MIN_DELAY_MS), undefined, { signal });
  } catch {
    // The sender has left.
  } finally {
    delayed -= 1;
  }
}
