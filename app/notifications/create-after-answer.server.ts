import { setTimeout as sleep } from "node:timers/promises";

/**
 * Begins a task after a random pause, when the request that asked for it is already answered. So the time of the answer does not reveal the
 * task's work.
 */
export type AfterAnswer = (task: () => Promise<void>) => void;

export function createAfterAnswer({ maxPauseMs }: { maxPauseMs: number }): {
  afterAnswer: AfterAnswer;
  /** Begins all waiting tasks at once, and waits for all that run, at most `withinMs`. */
  finish(options: { withinMs: number }): Promise<void>;
} {
  const stopping = new AbortController();
  const tasks = new Set<Promise<void>>();
  return {
    afterAnswer(task) {
      const pause = sleep(Math.random() * maxPauseMs, undefined, { signal: stopping.signal }).catch(() => {
        // The server stops, and nobody measures times any more.
      });
      const running = pause.then(task).finally(() => tasks.delete(running));
      tasks.add(running);
    },
    async finish({ withinMs }) {
      stopping.abort();
      await Promise.race([Promise.allSettled(tasks), sleep(withinMs, undefined, { ref: false })]);
    },
  };
}
