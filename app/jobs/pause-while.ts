import type { Job } from "./runner.ts";

/** A job that has nothing to do for as long as something else must be left alone. */
export function pauseWhile(job: Job, isPaused: () => boolean): Job {
  return { ...job, run: async (signal) => (isPaused() ? "idle" : await job.run(signal)) };
}
