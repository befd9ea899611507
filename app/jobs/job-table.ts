import type { Log } from "../log.server.ts";
import type { JobFailure, JobRow, JobRuns, JobStore } from "../stores/state/job-store.ts";

/** How long a process that died or hangs keeps its jobs from others. */
export const LEASE_MS = 60_000;

/** The leases of this process on its jobs, and the runs that are not written yet. */
export class JobTable {
  readonly #store: JobStore;
  readonly #owner: string;
  readonly #names: readonly string[];
  readonly #now: () => number;
  readonly #log: Log;
  readonly #unsaved = new Map<string, JobRuns>();
  #leased: { names: ReadonlySet<string>; until: number } = { names: new Set(), until: 0 };
  #renewing: Promise<void> | null = null;
  /** The fault of the last write. Empty: it worked. */
  #writeFault = "";
  readonly #signal: AbortSignal;

  /**
   * @param now milliseconds since 1970
   * @param signal aborted when no further run begins: from then on, a write that fails is no news
   */
  constructor({
    store,
    owner,
    names,
    now,
    log,
    signal,
  }: {
    store: JobStore;
    owner: string;
    names: readonly string[];
    now: () => number;
    log: Log;
    signal: AbortSignal;
  }) {
    this.#store = store;
    this.#owner = owner;
    this.#names = names;
    this.#now = now;
    this.#log = log;
    this.#signal = signal;
  }

  /** Takes the leases, and returns the jobs as they were when the last process stopped. */
  async begin({ isAlone = false }: { isAlone?: boolean | undefined }): Promise<readonly JobRow[]> {
    let known: readonly JobRow[] = [];
    await this.#attempt(async () => {
      if (isAlone) await this.#store.releaseLeases(null);
      await this.#renew();
      known = await this.#store.listJobs();
    });
    return known;
  }

  /** Renews the leases, and writes the runs that wait. */
  async renew(): Promise<void> {
    await this.#attempt(() => this.#renew());
  }

  /**
   * Renews leases that are over because the clock was set ahead or this process was stopped. All jobs share one renewal, so that none waits
   * for the next regular one.
   */
  async renewWhatEnded(): Promise<void> {
    if (this.#now() < this.#leased.until) return;
    this.#renewing ??= this.renew().finally(() => {
      this.#renewing = null;
    });
    await this.#renewing;
  }

  isHeld(name: string): boolean {
    return this.#leased.names.has(name) && this.#now() < this.#leased.until;
  }

  /** Adds a run, which is written with the next renewal, or with `save`. */
  add(run: JobRuns): void {
    this.#unsaved.set(run.name, addRuns(this.#unsaved.get(run.name), run));
  }

  async save(): Promise<void> {
    await this.#attempt(() => this.#save());
  }

  /** Writes what waits, and gives the jobs to others. */
  async close(): Promise<void> {
    try {
      await this.#save();
      await this.#store.releaseLeases(this.#owner);
    } catch (error) {
      this.#log.warn({ err: error }, "the table of background jobs was not brought up to date");
    }
  }

  async #renew(): Promise<void> {
    const now = this.#now();
    const until = now + LEASE_MS;
    const leased = await this.#store.lease({ owner: this.#owner, names: this.#names, now, until });
    this.#leased = { names: new Set(leased), until };
    await this.#save();
  }

  async #save(): Promise<void> {
    const runs = [...this.#unsaved.values()];
    if (runs.length === 0) return;
    this.#unsaved.clear();
    try {
      await this.#store.saveRuns(runs);
    } catch (error) {
      for (const run of runs) this.#unsaved.set(run.name, addRuns(run, this.#unsaved.get(run.name)));
      throw error;
    }
  }

  /** The store may be locked or its disk full. Work that failed is done again with the next renewal. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#writeFault = "";
    } catch (error) {
      // A fault that lasts is logged once, because each run tries again.
      const fault = error instanceof Error ? error.message : String(error);
      if (!this.#signal.aborted && fault !== this.#writeFault)
        this.#log.error({ err: error }, "the table of background jobs cannot be written");
      this.#writeFault = fault;
    }
  }
}

function addRuns(earlier: JobRuns | undefined, later: JobRuns | undefined): JobRuns {
  const last = later ?? earlier;
  if (last === undefined) throw new TypeError("there are no runs to add");
  if (earlier === undefined || later === undefined) return last;
  const lastFailure: JobFailure | null = later.lastFailure ?? earlier.lastFailure;
  return { ...later, runs: earlier.runs + later.runs, failures: earlier.failures + later.failures, lastFailure };
}
