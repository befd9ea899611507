import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** A third of the share that the process's other threads get where both want the same core. */
const STEP = 5;
const LOWEST = 19;

/**
 * Lowers the priority of the calling thread where cores are scarce: accepted data is safe and can wait, while senders and people cannot.
 * Threads that it starts inherit the priority. It costs nothing if a core is free. Linux has a priority per thread, and the thread's id is
 * in /proc; elsewhere nothing happens. Returns whether it was done.
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
