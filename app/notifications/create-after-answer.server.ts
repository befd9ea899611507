import { setTimeout as sleep } from "node:timers/promises";

/** Begins a task at any time within the pause, when the request that asked for it is answered: its work tells nothing by the time of the answer. */
export type AfterAnswer = (task: () => Promise<void>) => void;

export function createAfterAnswer({ maxPauseMs }: { maxPauseMs: number }): {
  afterAnswer: AfterAnswer;
  /** Begins what waits, and waits for all that runs: so long at most. */
  finish(options: { withinMs: number }): Promise<void>;
} {
  const stopping = new AbortController();
  const tasks = new Set<Promise<void>>();
  return {
    afterAnswer(task) {
      const pause = sleep(Math.random() * maxPauseMs, undefined, { signal: stopping.signal }).catch(() => {
        // The server stops, and nobody measures any more.
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
