import { setTimeout as sleep } from "node:timers/promises";

const DELAY_MS = 1_000;
/** Refusals held back at once, a connection and some KB each. Above it, they are answered at once. */
const MAX_DELAYED = 128;

let delayed = 0;

/**
 * Holds a refusal back for a second. A sender that tries again as soon as it has its answer would otherwise keep the main
 * thread at work with refusals alone, some hundred pages a second.
 */
export async function delayRefusal(signal: AbortSignal): Promise<void> {
  if (delayed >= MAX_DELAYED) return;
  delayed += 1;
  try {
    await sleep(DELAY_MS, undefined, { signal });
  } catch {
    // The sender is gone.
  } finally {
    delayed -= 1;
  }
}
