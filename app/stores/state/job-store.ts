/** A process's report on a job: on one run, or on several that did nothing. Instants are milliseconds since 1970. */
export interface JobRuns {
  name: string;
  runs: number;
  failures: number;
  /** The start of the last run. */
  startedAt: number;
  durationMs: number;
  nextDueAt: number;
  /** The last failure among these runs. Null: none of them failed. */
  lastFailure: JobFailure | null;
}

export interface JobFailure {
  at: number;
  /** Text for people; at most 1,000 characters are kept. */
  message: string;
}

export interface JobRow {
  name: string;
  /** Process that holds the lease, and until when. Null: no process. */
  owner: string | null;
  leasedUntil: number | null;
  /** Since the table was made. */
  runs: number;
  failures: number;
  /** Null: the job has never run. */
  lastStartedAt: number | null;
  lastDurationMs: number | null;
  nextDueAt: number | null;
  /** The last failure ever; older than `lastStartedAt`: the job has run well since. */
  lastFailure: JobFailure | null;
}

/** The background jobs: which process runs each, and what became of it. */
export interface JobStore {
  /**
   * Takes or renews the lease on each named job that no other owner holds at `now`. Atomic.
   * @returns the names that `owner` holds until `until`
   */
  lease(request: { owner: string; names: readonly string[]; now: number; until: number }): Promise<string[]>;
  /** Ends the leases of one owner; null: of every owner, for a process that knows that no other one is alive. */
  releaseLeases(owner: string | null): Promise<void>;
  saveRuns(runs: readonly JobRuns[]): Promise<void>;
  /** The jobs by name. */
  listJobs(): Promise<JobRow[]>;
}
