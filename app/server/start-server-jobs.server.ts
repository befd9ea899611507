import { randomBytes } from "node:crypto";
import { type Job, type JobRunner, startJobRunner } from "../jobs/runner.ts";
import { systemClock } from "../jobs/system-clock.ts";
import type { Log } from "../log.server.ts";
import type { State } from "../stores/state/state.ts";
import type { Metrics } from "./metrics.server.ts";
import type { WorkTraces } from "./trace-work.ts";

/** Starts the background jobs. The metrics begin with the last runs of the process before. */
export async function startServerJobs({
  jobs,
  state,
  metrics,
  traces,
  log,
}: {
  jobs: readonly Job[];
  state: State;
  metrics: Metrics;
  traces: WorkTraces;
  log: Log;
}): Promise<JobRunner> {
  for (const { name, lastStartedAt, lastDurationMs, lastFailure } of await state.jobs.listJobs()) {
    if (lastStartedAt === null || lastDurationMs === null || (lastFailure?.at ?? 0) >= lastStartedAt) continue;
    metrics.jobHadRun({ name, durationMs: lastDurationMs, endedAt: lastStartedAt + lastDurationMs });
  }
  return startJobRunner({
    jobs,
    store: state.jobs,
    actAs: state.audit.actAs,
    owner: randomBytes(8).toString("hex"),
    // The lock on the data folder is ours, so no process is alive that could hold a job.
    isAlone: true,
    clock: systemClock,
    log,
    onRun(run) {
      metrics.jobRan(run);
      traces.jobEnded(run);
    },
  });
}
