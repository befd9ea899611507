import type { AuditActor } from "../domain/audit/audit-entry.ts";
import type { Log } from "../log.server.ts";
import type { JobRuns, JobStore } from "../stores/state/job-store.ts";
import { FailureLog } from "./failure-log.ts";
import { JobTable } from "./job-table.ts";

/** Work that the server does in the background, again and again. */
export interface Job {
  readonly name: string;
  /** The pause from the end of one run to the start of the next. */
  readonly everyMs: number;
  /** The earliest time of the first run, from the start of the process. Absent: `everyMs`. */
  readonly firstAfterMs?: number;
  /** The pause from a failure to the next run. Absent: `everyMs`. */
  readonly retryMs?: number;
  /** Jobs that have work after a run of this one that worked. They do not wait for the end of their pause. */
  readonly wakes?: readonly string[];
  /**
   * One run. `idle` means that there was nothing to do. When the signal is aborted, the run ends at the next place where it can be
   * continued later. A job that throws has failed: the runner logs it, and the same failure again after growing pauses.
   */
  run(signal: AbortSignal): Promise<"worked" | "idle">;
}

/** The clock, as an argument for tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface JobRunnerOptions {
  jobs: readonly Job[];
  store: JobStore;
  /** The name of this process among those that share the store. */
  owner: string;
  /** True if no other process that shares the store is alive. Then leases that others still hold end at the start. */
  isAlone?: boolean;
  /** Runs the work of a job under the name of the job, for the audit log. */
  actAs?<Result>(actor: AuditActor, work: () => Result): Result;
  clock: Clock;
  log: Log;
  onRun(run: { name: string; durationMs: number; isFailed: boolean; endedAt: number }): void;
}

export interface JobRunner {
  /**
   * Says that there is work for a job, so that it runs soon. A job that is running runs again afterwards. A job that has failed keeps its
   * pause.
   */
  wake(name: string): void;
  /** Starts no more runs, and waits at most `withinMs` for those under way. */
  close(options: { withinMs: number }): Promise<void>;
}

/**
 * How often leases are renewed. Two renewals may fail before a lease ends. Runs that do not get a write of their own are saved together
 * with the renewal.
 */
export const RENEW_MS = 20_000;
/** The pause from the first wake to the run. A busy server wakes a job with each batch, and one run serves several of them. */
export const WOKEN_MS = 100;

interface Pause {
  ms: number;
  /** Whether `wake` may cut the pause short. */
  maySkip: boolean;
}

/**
 * Runs each job by itself, one run after another, as long as this process holds the lease on it. Leases and runs are kept in the state
 * store, so several processes can share the jobs. Some runs are saved at once: the first one, one that failed, the one after it, and one
 * that worked and has a pause of at least `RENEW_MS`. Other runs are saved with the next renewal of the leases. A write waits for the disk,
 * and everything that the server accepts meanwhile waits for it.
 */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const { jobs, store, owner, clock, log } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const failureLog = new FailureLog(log);
  const names = jobs.map(({ name }) => name);
  const table = new JobTable({ store, owner, names, now: () => clock.now(), log, signal });
  /** Jobs that were woken and have not begun to run since. */
  const woken = new Set<string>();
  /** By job: a function that cuts the present pause short. Only jobs that may be woken have one. */
  const wakers = new Map<string, () => void>();

  async function renewForever(): Promise<void> {
    for (;;) {
      await clock.sleep(RENEW_MS, signal);
      await table.renew();
    }
  }

  async function runForever(job: Job, nextDueAt: number | null): Promise<void> {
    await clock.sleep(untilFirstRun(job, nextDueAt, clock.now()), signal);
    // The first run is news, and so is a run after a failure.
    for (let isNews = true; ; ) {
      await table.renewWhatEnded();
      const isHeld = table.isHeld(job.name);
      woken.delete(job.name);
      const pause: Pause = isHeld ? await runOnce(job, isNews) : { ms: RENEW_MS, maySkip: false };
      if (isHeld) isNews = !pause.maySkip;
      if (pause.maySkip) await sleepUntilWoken(job.name, pause.ms);
      else await clock.sleep(pause.ms, signal);
    }
  }

  async function sleepUntilWoken(name: string, milliseconds: number): Promise<void> {
    const cutting = new AbortController();
    const cut = () => cutting.abort();
    if (woken.has(name) || signal.aborted) cut();
    signal.addEventListener("abort", cut, { once: true });
    wakers.set(name, cut);
    try {
      await clock.sleep(milliseconds, cutting.signal);
    } catch (error) {
      if (!cutting.signal.aborted) throw error;
      await clock.sleep(Math.min(WOKEN_MS, milliseconds), signal);
    } finally {
      wakers.delete(name);
      signal.removeEventListener("abort", cut);
    }
  }

  function wake(name: string): void {
    woken.add(name);
    wakers.get(name)?.();
  }

  /** Runs the job and returns the pause until its next run. */
  async function runOnce(job: Job, isNews: boolean): Promise<Pause> {
    const startedAt = clock.now();
    let result: "worked" | "idle" | "failed";
    let message: string | null = null;
    try {
      const actor = { kind: "job", id: null, name: job.name, address: null } as const;
      result = await (options.actAs?.(actor, () => job.run(signal)) ?? job.run(signal));
    } catch (error) {
      result = "failed";
      message = error instanceof Error ? error.message : String(error);
      failureLog.failed(job.name, error, clock.now());
    }
    const endedAt = clock.now();
    const isFailed = result === "failed";
    if (!isFailed) failureLog.worked(job.name);
    const pauseMs = isFailed ? (job.retryMs ?? job.everyMs) : job.everyMs;
    const run: JobRuns = {
      name: job.name,
      runs: 1,
      failures: isFailed ? 1 : 0,
      startedAt,
      durationMs: Math.max(0, endedAt - startedAt),
      nextDueAt: endedAt + pauseMs,
      lastFailure: message === null ? null : { at: endedAt, message },
    };
    options.onRun({ name: job.name, durationMs: run.durationMs, isFailed, endedAt });
    table.add(run);
    // A job with a shorter pause may run too early after a restart: its run need not be saved at once.
    if (isFailed || isNews || (result === "worked" && pauseMs >= RENEW_MS)) await table.save();
    if (result === "worked") job.wakes?.forEach(wake);
    return { ms: pauseMs, maySkip: !isFailed };
  }

  async function runAll(): Promise<void> {
    const known = await table.begin({ isAlone: options.isAlone });
    const dueAt = new Map(known.map(({ name, nextDueAt }) => [name, nextDueAt]));
    const loops = [renewForever(), ...jobs.map((job) => runForever(job, dueAt.get(job.name) ?? null))];
    // A loop only ends when its sleep is aborted.
    await Promise.allSettled(loops);
  }

  const running = runAll();
  let closed: Promise<void> | undefined;

  async function close(withinMs: number): Promise<void> {
    ending.abort();
    const timeout = new AbortController();
    const late = clock.sleep(withinMs, timeout.signal).then(
      () => log.warn({ withinMs }, "a background job did not end in time; it is taken up again after the next start"),
      () => {},
    );
    await Promise.race([running, late]);
    timeout.abort();
    await table.close();
  }

  return {
    wake,
    close({ withinMs }) {
      closed ??= close(withinMs);
      return closed;
    },
  };
}

/** The time until the first run. A job that was due while no process ran comes soon. If the clock was set back, a job waits at most its pause. */
function untilFirstRun({ everyMs, firstAfterMs = everyMs }: Job, nextDueAt: number | null, now: number): number {
  const untilDueMs = nextDueAt === null ? 0 : nextDueAt - now;
  return Math.max(firstAfterMs, Math.min(untilDueMs, everyMs));
}
