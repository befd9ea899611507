import type { AuditActor } from "../domain/audit/audit-entry.ts";
import type { Log } from "../log.server.ts";
import type { JobFailure, JobRow, JobRuns, JobStore } from "../stores/state/job-store.ts";
import { FailureLog } from "./failure-log.ts";

/** Something that the server does in the background, again and again. */
export interface Job {
  readonly name: string;
  /** From the end of one run to the start of the next. */
  readonly everyMs: number;
  /** The first run comes no sooner after the start of the process. Absent: as `everyMs`. */
  readonly firstAfterMs?: number;
  /** From a failure to the next run. Absent: as `everyMs`. */
  readonly retryMs?: number;
  /** Jobs for which a run of this one that worked leaves work. They do not wait for the end of their pause. */
  readonly wakes?: readonly string[];
  /**
   * One run. `idle` says that there was nothing to do. Once the signal is aborted, it ends at the next place where it can be
   * taken up again. A job that throws has failed: the runner logs it, and the same failure again after growing pauses.
   */
  run(signal: AbortSignal): Promise<"worked" | "idle">;
}

/** Time, as an argument. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface JobRunnerOptions {
  jobs: readonly Job[];
  store: JobStore;
  /** Names this process among those that share the store. */
  owner: string;
  /** No other process is alive that shares the store, so leases that it still holds end at the start. */
  isAlone?: boolean;
  /** Runs the work of a job under its name, for the audit log. */
  actAs?<Result>(actor: AuditActor, work: () => Result): Result;
  clock: Clock;
  log: Log;
  onRun(run: { name: string; durationMs: number; isFailed: boolean; endedAt: number }): void;
}

export interface JobRunner {
  /** Says that there is work for a job: it runs soon. One that is running runs again. One that has failed keeps its pause. */
  wake(name: string): void;
  /** Lets no run begin any more, and waits for those under way, at most so long. */
  close(options: { withinMs: number }): Promise<void>;
}

/** A process that died, or that hangs, keeps its jobs from others for so long. */
export const LEASE_MS = 60_000;
/** Two renewals may fail before a lease ends. Runs that are not worth a write of their own are written down with the renewal. */
export const RENEW_MS = 20_000;
/** From the first wake to the run: a busy server wakes a job with each batch, and one run sees to several. */
export const WOKEN_MS = 100;

interface Pause {
  ms: number;
  /** Whether somebody who has work may cut it short. */
  maySkip: boolean;
}

/**
 * Runs each job by itself, one run after another, as long as this process holds the lease on it. Leases and runs are kept in
 * the state store, so several processes can share the jobs. The first run is written down at once, and so is one that failed, the one after
 * it, and one that worked and does not come again before the next renewal of the leases. Others wait for that: a write waits for the disk, and so does whatever
 * the server accepts meanwhile.
 */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const { jobs, store, owner, clock, log } = options;
  const names = jobs.map(({ name }) => name);
  const ending = new AbortController();
  const { signal } = ending;
  const failureLog = new FailureLog(log);
  const unsaved = new Map<string, JobRuns>();
  /** Jobs that were woken and have not begun to run since. */
  const woken = new Set<string>();
  /** Cuts the pause of a job short, while it may be woken. */
  const wakers = new Map<string, () => void>();
  let renewing: Promise<void> | null = null;
  /** Why the table could not be written last; empty: it could. */
  let writeFault = "";
  let leased: { names: ReadonlySet<string>; until: number } = { names: new Set(), until: 0 };

  async function renew(): Promise<void> {
    const now = clock.now();
    const until = now + LEASE_MS;
    leased = { names: new Set(await store.lease({ owner, names, now, until })), until };
    await save();
  }

  async function save(): Promise<void> {
    const runs = [...unsaved.values()];
    if (runs.length === 0) return;
    unsaved.clear();
    try {
      await store.saveRuns(runs);
    } catch (error) {
      for (const run of runs) unsaved.set(run.name, addRuns(run, unsaved.get(run.name)));
      throw error;
    }
  }

  /** The store may be locked or its disk full: what failed is done again with the next renewal. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      writeFault = "";
    } catch (error) {
      // Once, however long it lasts: each run tries again.
      const fault = error instanceof Error ? error.message : String(error);
      if (!signal.aborted && fault !== writeFault)
        log.error({ err: error }, "the table of background jobs cannot be written");
      writeFault = fault;
    }
  }

  async function renewForever(): Promise<void> {
    for (;;) {
      await clock.sleep(RENEW_MS, signal);
      await attempt(renew);
    }
  }

  /** The clock was set ahead, or this process was stopped: one renewal for all jobs that see it, so that none waits for the next one. */
  async function renewWhatEnded(): Promise<void> {
    if (clock.now() < leased.until) return;
    renewing ??= attempt(renew).finally(() => {
      renewing = null;
    });
    await renewing;
  }

  async function runForever(job: Job, nextDueAt: number | null): Promise<void> {
    await clock.sleep(untilFirstRun(job, nextDueAt, clock.now()), signal);
    // The first run is, and one after a failure.
    for (let isNews = true; ; ) {
      await renewWhatEnded();
      const isHeld = leased.names.has(job.name) && clock.now() < leased.until;
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

  /** Gives the pause until the next run. */
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
    unsaved.set(job.name, addRuns(unsaved.get(job.name), run));
    // What comes again so soon may come too early after a restart, too.
    if (isFailed || isNews || (result === "worked" && pauseMs >= RENEW_MS)) await attempt(save);
    if (result === "worked") job.wakes?.forEach(wake);
    return { ms: pauseMs, maySkip: !isFailed };
  }

  async function runAll(): Promise<void> {
    let known: JobRow[] = [];
    await attempt(async () => {
      if (options.isAlone) await store.releaseLeases(null);
      await renew();
      known = await store.listJobs();
    });
    const dueAt = new Map(known.map(({ name, nextDueAt }) => [name, nextDueAt]));
    const loops = [renewForever(), ...jobs.map((job) => runForever(job, dueAt.get(job.name) ?? null))];
    // Each ends when its sleep is cut short, and by nothing else.
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
    try {
      await save();
      await store.releaseLeases(owner);
    } catch (error) {
      log.warn({ err: error }, "the table of background jobs was not brought up to date");
    }
  }

  return {
    wake,
    close({ withinMs }) {
      closed ??= close(withinMs);
      return closed;
    },
  };
}

/** A job that was due while no process ran comes soon; a clock that was set back delays none for longer than its pause. */
function untilFirstRun({ everyMs, firstAfterMs = everyMs }: Job, nextDueAt: number | null, now: number): number {
  const untilDueMs = nextDueAt === null ? 0 : nextDueAt - now;
  return Math.max(firstAfterMs, Math.min(untilDueMs, everyMs));
}

function addRuns(earlier: JobRuns | undefined, later: JobRuns | undefined): JobRuns {
  const last = later ?? earlier;
  if (last === undefined) throw new TypeError("there are no runs to add");
  if (earlier === undefined || later === undefined) return last;
  const lastFailure: JobFailure | null = later.lastFailure ?? earlier.lastFailure;
  return { ...later, runs: earlier.runs + later.runs, failures: earlier.failures + later.failures, lastFailure };
}
