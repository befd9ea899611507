import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** A third of the share that the process's other threads get where both want the same core. */
const STEP = 5;
const LOWEST = 19;

/**
 * Lets the calling thread stand back where cores are short: what is accepted is safe and can wait, while senders and
 * people cannot. Threads that it starts inherit this. Costs nothing where a core is free. Linux knows a priority per thread,
 * and its name for the thread is in /proc; elsewhere nothing happens. Gives whether it was done.
 */
export function yieldProcessor(): boolean {
  try {
    const threadId = Number(basename(readlinkSync("/proc/thread-self")));
    if (!Number.isInteger(threadId) || threadId <= 0) return false;
    setPriority(threadId, Math.min(LOWEST, getPriority(threadId) + STEP));
    return true;
  } catch {
    return false;
  }
}
