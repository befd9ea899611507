import type { JobStore } from "../../stores/state/job-store.ts";

export interface JobItem {
  name: string;
  /** Null: the job has not run yet. */
  lastRun: { startedAt: number; durationMs: number } | null;
  nextDueAt: number | null;
  runs: number;
  failures: number;
  /** `isCurrent`: whether the last run failed. */
  lastFailure: { at: number; message: string; isCurrent: boolean } | null;
}

/** The background jobs; those whose last run failed come first. */
export async function listJobs({ jobs }: { jobs: JobStore }): Promise<JobItem[]> {
  const items = (await jobs.listJobs()).map((row): JobItem => {
    const { name, lastStartedAt: startedAt, lastDurationMs: durationMs, lastFailure, nextDueAt, runs, failures } = row;
    const lastRun = startedAt === null || durationMs === null ? null : { startedAt, durationMs };
    const isCurrent = lastFailure !== null && lastRun !== null && lastFailure.at >= lastRun.startedAt;
    return { name, lastRun, nextDueAt, runs, failures, lastFailure: lastFailure && { ...lastFailure, isCurrent } };
  });
  return [...items.filter(isFailing), ...items.filter((item) => !isFailing(item))];
}

function isFailing({ lastFailure }: JobItem): boolean {
  return lastFailure?.isCurrent === true;
}
