import type { Finding } from "../findings/finding.ts";
import { type CheckIn, MONITOR_DEFAULTS, type MonitorConfig, type MonitorState, type Run } from "../monitor.ts";
import { MINUTE_MS } from "../time.ts";
import { type Failure, type MonitorName, toRecovery, toTrouble } from "./monitor-findings.ts";
import { nextDue, previousDue } from "./schedule.ts";

/** The state of a monitor's environment between its check-ins. */
export interface Watch {
  /** The next due time. Null: none is known, or nothing is expected. */
  nextDueAt: number | null;
  /** Runs that failed one after another, up to now. */
  failures: number;
  successes: number;
  /** Since when its trouble is an issue. */
  troubleAt: number | null;
  /** Time of the last finding. 0: there was none. The next finding gets a later time, in whatever order check-ins are read. */
  toldAt: number;
  state: MonitorState;
}

/** Culprit was down. Both ends in milliseconds since 1970. */
export interface Downtime {
  from: number;
  to: number;
}

export interface WatchedEnvironment {
  monitor: MonitorName;
  config: MonitorConfig | null;
  isMuted: boolean;
  isPaused: boolean;
  watch: Watch;
  /** The runs in progress, the runs that the check-ins name, and the newest run. Oldest first. */
  runs: readonly Run[];
  /** Downtimes of the last days. */
  downtimes: readonly Downtime[];
}

/** The changes from check-ins, or from the passing of time. */
export interface WatchResult {
  watch: Watch;
  /** The next time at which something changes even without a check-in. Null: never. */
  checkAt: number | null;
  /** Runs that are new, without an id, or that changed. */
  runs: Run[];
  findings: Finding[];
}

/** A job that never says that it ends has no more than these open. The oldest counts as timed out. */
export const MAX_OPEN_RUNS = 100;
/** Due times that one step decides about. A monitor that was due more often meanwhile goes on with the next due time. */
export const MAX_STEPS = 500;

/**
 * Decides how the runs of one environment of a monitor go, in the order in which things happen: `checkIn` for each check-in, `advance` for time that
 * passes. It has no clock: an instant that was passed is not passed again, so check-ins that are read late still come in time.
 */
export class RunWatcher {
  readonly #environment: WatchedEnvironment;
  #watch: Watch;
  readonly #runs: Run[];
  readonly #changed = new Set<Run>();
  readonly #findings: Finding[] = [];

  constructor(environment: WatchedEnvironment) {
    this.#environment = environment;
    this.#watch = { ...environment.watch };
    this.#runs = environment.runs.map((run) => ({ ...run }));
  }

  result(): WatchResult {
    const { nextDueAt } = this.#watch;
    const instants = this.#open().map((run) => run.startedAt + this.#maxRuntimeMs);
    if (nextDueAt !== null) instants.push(nextDueAt + this.#marginMs);
    return {
      watch: this.#watch,
      checkAt: this.#environment.isPaused || instants.length === 0 ? null : Math.min(...instants),
      runs: [...this.#changed],
      findings: this.#findings,
    };
  }

  /**
   * Forgets due times, and waits for the next one after the instant: the schedule or the clock has changed, or a pause is over.
   * Null: the next check-in decides.
   */
  plan(at: number | null): void {
    this.#watch.nextDueAt = at === null ? null : this.#nextDue(at);
  }

  /** Time has passed up to the instant, and every check-in before it was given. */
  advance(upTo: number): void {
    if (this.#environment.isPaused) return;
    for (let step = 0; step < MAX_STEPS; step++) {
      const { nextDueAt } = this.#watch;
      const dueEnds = nextDueAt === null ? Number.POSITIVE_INFINITY : nextDueAt + this.#marginMs;
      const oldest = this.#open()[0];
      const runEnds = oldest ? oldest.startedAt + this.#maxRuntimeMs : Number.POSITIVE_INFINITY;
      if (Math.min(dueEnds, runEnds) > upTo) return;
      if (oldest && runEnds <= dueEnds) this.#timeOut(oldest, runEnds);
      else if (nextDueAt !== null) this.#miss(nextDueAt, dueEnds);
    }
    this.plan(upTo);
  }

  checkIn(checkIn: CheckIn, at: number): void {
    this.advance(at);
    const { status, checkInId } = checkIn;
    const known = checkInId === null ? undefined : this.#runs.find((run) => run.checkInId === checkInId);
    if (status === "in_progress") {
      if (known === undefined) this.#begin(checkIn, at, at);
      return;
    }
    const run = known ?? (checkInId === null ? this.#open().at(-1) : undefined);
    // An ended run stays as it is. But a run that timed out, or whose end came while Culprit was down, may still end.
    if (run && (run.status === "ok" || run.status === "error")) return;
    if (run) this.#end(run, checkIn, at - run.startedAt, at);
    // Nobody has said when it began.
    else this.#end(this.#begin(checkIn, at - (checkIn.durationMs ?? 0), at), checkIn, null, at);
  }

  #begin(checkIn: CheckIn, startedAt: number, at: number): Run {
    const open = this.#open();
    if (open.length >= MAX_OPEN_RUNS) this.#timeOut(open[0] as Run, at);
    const answered = this.#answer(startedAt, at);
    const run: Run = answered.missed ?? { ...NEW_RUN, startedAt };
    if (answered.missed === null) this.#runs.push(run);
    Object.assign(run, {
      checkInId: checkIn.checkInId,
      status: "in_progress",
      dueAt: answered.dueAt,
      startedAt,
      endedAt: null,
      isLate: answered.isLate,
      release: checkIn.release,
      traceId: checkIn.traceId,
    });
    this.#changed.add(run);
    return run;
  }

  /** Finds the due time that a run answers, and waits for the next one. */
  #answer(startedAt: number, at: number): { dueAt: number | null; isLate: boolean; missed: Run | null } {
    const { nextDueAt } = this.#watch;
    const { config } = this.#environment;
    if (config === null) return { dueAt: null, isLate: false, missed: null };
    if (config.schedule.type === "interval") {
      this.#watch.nextDueAt = this.#nextDue(at);
      const missed = this.#newestMissed();
      return { dueAt: missed?.dueAt ?? nextDueAt, isLate: missed !== null, missed };
    }
    if (nextDueAt === null) {
      this.#watch.nextDueAt = this.#nextDue(at);
      return { dueAt: this.#findDueBefore(config, startedAt), isLate: false, missed: null };
    }
    if (startedAt >= nextDueAt - this.#earlyMs(nextDueAt, startedAt)) {
      this.#watch.nextDueAt = this.#nextDue(Math.max(at, nextDueAt));
      return { dueAt: nextDueAt, isLate: false, missed: null };
    }
    const missed = this.#newestMissed();
    // A run that is nearer to the next due time than to the missed one is not late. It ran at another time.
    if (missed === null || missed.dueAt === null || startedAt - missed.dueAt > nextDueAt - startedAt)
      return { dueAt: null, isLate: false, missed: null };
    return { dueAt: missed.dueAt, isLate: true, missed };
  }

  /** Milliseconds before the due time from which a run may begin: the margin, but at most half of the time between two due times. */
  #earlyMs(dueAt: number, startedAt: number): number {
    if (startedAt >= dueAt) return 0;
    const following = this.#nextDue(dueAt);
    return following === null ? this.#marginMs : Math.min(this.#marginMs, (following - dueAt) / 2);
  }

  /** @param seenMs the duration between the arrivals of its start and its end; null: only its end arrived */
  #end(
    run: Run,
    { status, durationMs, exitStatus, output, release, traceId }: CheckIn,
    seenMs: number | null,
    at: number,
  ): void {
    run.status = status === "ok" ? "ok" : "error";
    run.endedAt = at;
    run.durationMs = durationMs ?? (seenMs === null ? null : Math.max(0, seenMs));
    run.exitStatus = exitStatus ?? run.exitStatus;
    run.output = output ?? run.output;
    run.release = release ?? run.release;
    run.traceId = traceId ?? run.traceId;
    this.#changed.add(run);
    if (run.status === "error") this.#fail({ kind: "error", run }, at);
    else this.#succeed(run, at);
  }

  #miss(dueAt: number, at: number): void {
    const isUnknown = this.#wasDown(dueAt, at);
    const run: Run = { ...NEW_RUN, status: isUnknown ? "unknown" : "missed", dueAt, startedAt: dueAt };
    this.#runs.push(run);
    this.#changed.add(run);
    this.#watch.nextDueAt = this.#nextDue(dueAt);
    if (!isUnknown) this.#fail({ kind: "missed", run }, at);
  }

  #timeOut(run: Run, at: number): void {
    const isUnknown = this.#wasDown(run.startedAt, at);
    run.status = isUnknown ? "unknown" : "timeout";
    run.endedAt = at;
    run.durationMs = at - run.startedAt;
    this.#changed.add(run);
    if (!isUnknown) this.#fail({ kind: "timeout", run, maxRuntimeMs: this.#maxRuntimeMs }, at);
  }

  #fail(failure: Failure, at: number): void {
    const { monitor, config, isMuted, isPaused } = this.#environment;
    const watch = this.#watch;
    watch.failures++;
    watch.successes = 0;
    watch.state = failure.kind;
    const threshold = config?.failureIssueThreshold ?? MONITOR_DEFAULTS.failureIssueThreshold;
    if (isMuted || isPaused || watch.troubleAt !== null || watch.failures < threshold) return;
    watch.troubleAt = this.#tellAt(at);
    this.#findings.push(toTrouble(failure, { monitor, config, at: watch.troubleAt, failures: watch.failures }));
  }

  #succeed(run: Run, at: number): void {
    const { monitor, config } = this.#environment;
    const watch = this.#watch;
    watch.successes++;
    watch.failures = 0;
    watch.state = run.isLate ? "late" : "ok";
    const threshold = config?.recoveryThreshold ?? MONITOR_DEFAULTS.recoveryThreshold;
    if (watch.troubleAt === null || watch.successes < threshold) return;
    this.#findings.push(toRecovery(monitor, this.#tellAt(at)));
    watch.troubleAt = null;
  }

  /** An event that is not later than the resolve before it would leave its issue resolved. */
  #tellAt(at: number): number {
    this.#watch.toldAt = Math.max(at, this.#watch.toldAt + 1);
    return this.#watch.toldAt;
  }

  #open(): Run[] {
    return this.#runs.filter(({ status }) => status === "in_progress");
  }

  #newestMissed(): Run | null {
    const newest = this.#runs.at(-1);
    return newest?.status === "missed" || (newest?.status === "unknown" && newest.checkInId === null) ? newest : null;
  }

  /** For the first run of a schedule, which was not expected. */
  #findDueBefore(config: MonitorConfig, startedAt: number): number | null {
    if (this.#watch.nextDueAt === null) return null;
    const dueAt = previousDue(config, startedAt);
    return dueAt !== null && startedAt - dueAt <= this.#marginMs ? dueAt : null;
  }

  #wasDown(from: number, to: number): boolean {
    return this.#environment.downtimes.some((down) => down.from < to && down.to > from);
  }

  #nextDue(after: number): number | null {
    const { config, isPaused } = this.#environment;
    if (config === null || isPaused) return null;
    try {
      return nextDue(config, after);
    } catch {
      // Stored before schedules were checked.
      return null;
    }
  }

  /** A minute at least: crontabs and clocks are not more exact than that. */
  get #marginMs(): number {
    return Math.max(1, this.#environment.config?.checkinMargin ?? MONITOR_DEFAULTS.checkinMargin) * MINUTE_MS;
  }

  get #maxRuntimeMs(): number {
    return Math.max(1, this.#environment.config?.maxRuntime ?? MONITOR_DEFAULTS.maxRuntime) * MINUTE_MS;
  }
}

const NEW_RUN: Run = {
  id: null,
  checkInId: null,
  status: "in_progress",
  dueAt: null,
  startedAt: 0,
  endedAt: null,
  durationMs: null,
  isLate: false,
  release: null,
  traceId: null,
  exitStatus: null,
  output: null,
};
