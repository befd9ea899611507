import type { Job } from "./runner.ts";

/** Makes a job idle for as long as `isPaused` says so. */
export function pauseWhile(job: Job, isPaused: () => boolean): Job {
  return { ...job, run: async (signal) => (isPaused() ? "idle" : await job.run(signal)) };
}
