import type { BatchReport } from "../digest/digest-loop.ts";
import type { FinishedWork } from "../sentry/monitoring.server.ts";

/** A run of a job that takes less is not worth a trace. Also, the runs that our own traces cause are quicker. */
export const MIN_JOB_MS = 100;

export interface WorkTraces {
  batchEnded(batch: Pick<BatchReport, "times" | "projectIds" | "records" | "bytes">): void;
  jobEnded(run: { name: string; durationMs: number; isFailed: boolean; endedAt: number }): void;
  close(): void;
}

const NO_TRACES: WorkTraces = { batchEnded() {}, jobEnded() {}, close() {} };

/**
 * Makes traces of what the server does behind the pages. A batch that holds nothing but our own reports is left out: its trace would
 * be a batch again, without end.
 */
export function createWorkTraces({
  record,
  ownProjectId,
  windowMs,
}: {
  record: (work: FinishedWork) => void;
  ownProjectId: () => number | null;
  /** The slowest batch within this time is recorded. Milliseconds. 0: none is recorded. */
  windowMs: number;
}): WorkTraces {
  if (windowMs === 0) return NO_TRACES;
  let slowest: FinishedWork | null = null;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    if (slowest !== null) record(slowest);
    slowest = null;
  }

  return {
    batchEnded(batch) {
      const own = ownProjectId();
      if (batch.projectIds.every((id) => id === own)) return;
      const work = toWork(batch);
      if (slowest === null || durationOf(work) > durationOf(slowest)) slowest = work;
      timer ??= setTimeout(flush, windowMs).unref();
    },
    jobEnded({ name, durationMs, isFailed, endedAt }) {
      if (durationMs < MIN_JOB_MS && !isFailed) return;
      record({ name, op: "job", startedAt: endedAt - durationMs, endedAt, isFailed, attributes: {}, parts: [] });
    },
    close() {
      clearTimeout(timer);
      slowest = null;
    },
  };
}

function toWork({ times, records, bytes }: Parameters<WorkTraces["batchEnded"]>[0]): FinishedWork {
  const { beganAt, mappedAt, commitBeganAt, endedAt } = times;
  return {
    name: "digest a batch",
    op: "digest.batch",
    startedAt: beganAt,
    endedAt,
    isFailed: false,
    attributes: { "digest.records": records, "digest.bytes": bytes },
    parts: [
      { name: "read and map its records", op: "digest.map", startedAt: beganAt, endedAt: mappedAt },
      { name: "commit it to the stores", op: "digest.commit", startedAt: commitBeganAt, endedAt },
    ],
  };
}

function durationOf({ startedAt, endedAt }: FinishedWork): number {
  return endedAt - startedAt;
}
