import type { JournalLog, JournalReader, JournalRecord } from "../journal/journal.ts";
import { openJournalReader } from "../journal/open-journal-reader.ts";
import type { State } from "../stores/state/state.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { BatchPipeline } from "./batch-pipeline.ts";
import type { AppliedPositions } from "./commit-batch.ts";
import type { DigestEventStore } from "./event-store-port.ts";
import { SuspectRecords } from "./suspect-records.ts";

export interface LaneOptions {
  journalId: string;
  journalDir: string;
  /** See `Journal.firstSequence`. */
  firstSequence: number;
  attempts: AttemptLog;
}

export interface LaneLimits {
  maxRecords: number;
  maxBytes: number;
  minIntervalMs: number;
  steadyAfterMs: number;
}

/** A run of consecutive records of one journal. */
export interface Batch {
  from: number;
  /** Exclusive. */
  upTo: number;
  records: readonly JournalRecord[];
  /** True if many records waited: enough to be worth a commit, or more than one batch takes. */
  isBacklog: boolean;
  /** By `performance.now()`. */
  beganAt: number;
  mappedAt: number;
}

interface LaneStores {
  state: Pick<State, "batches">;
  events: DigestEventStore;
}

/** The state of a lane since it started at the stores' positions. */
interface LaneRun {
  applied: AppliedPositions;
  reader: JournalReader;
  pipeline: BatchPipeline;
  committedUpTo: number;
  /** Exclusive: the event store was given the records below. */
  handedUpTo: number;
}

/**
 * How long to wait for the event store before the next batch begins beside it, in milliseconds. Most inserts end by then, and records that
 * arrive meanwhile go into one batch. A checkpoint takes ten times as long.
 */
const STORE_PATIENCE_MS = 30;
/** If this many records wait, a batch is worth its commit without waiting for more. */
const ENOUGH_RECORDS = 250;
/**
 * The most records in a batch that is watched. If processes die under it, its records are taken one by one, and the other lanes wait
 * meanwhile.
 */
const MAX_WATCHED_RECORDS = 200;

/** Moves one journal's records to the stores, in their order. `rank`: lanes with a lower rank come first. */
export class DigestLane {
  readonly rank: number;
  readonly journalId: string;
  readonly suspects: SuspectRecords;
  readonly #options: LaneOptions;
  readonly #limits: LaneLimits;
  #durable = 0;
  #lastBeganAt = Number.NEGATIVE_INFINITY;
  #lastHandedAt = Number.NEGATIVE_INFINITY;
  /** True if the last batch did not have all records that waited. */
  #wasCut = false;
  #run: LaneRun | null = null;

  constructor(rank: number, options: LaneOptions, limits: LaneLimits) {
    this.rank = rank;
    this.journalId = options.journalId;
    this.suspects = new SuspectRecords(options.attempts);
    this.#options = options;
    this.#limits = limits;
  }

  /** Says that everything below this sequence may be read. Returns false if that was known. */
  setDurable(sequence: number): boolean {
    if (sequence <= this.#durable) return false;
    this.#durable = sequence;
    return true;
  }

  /** Starts at the positions of the stores. */
  async open(
    { state, events }: LaneStores,
    { width, onProgress, log }: { width: number; onProgress: () => void; log: JournalLog },
  ): Promise<AppliedPositions> {
    const { journalId, journalDir: dir, firstSequence } = this.#options;
    const applied: AppliedPositions = {
      state: Math.max(firstSequence, await state.batches.appliedSequence(journalId)),
      events: Math.max(firstSequence, await events.appliedSequence(journalId)),
      ahead: await events.appliedAhead(journalId),
    };
    const fromSequence = Math.min(applied.state, applied.events);
    this.suspects.startFrom(fromSequence, applied.state);
    const reader = await openJournalReader({ dir, fromSequence, log });
    this.#run = {
      applied,
      reader,
      pipeline: new BatchPipeline(width, onProgress),
      committedUpTo: fromSequence,
      handedUpTo: fromSequence,
    };
    return applied;
  }

  async close(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    await run?.pipeline.end().catch(() => {});
    await run?.reader.close();
  }

  get applied(): AppliedPositions {
    return this.#opened.applied;
  }

  get pipeline(): BatchPipeline {
    return this.#opened.pipeline;
  }

  /** Records that the event store was given and has not stored yet; null when there are none. */
  get unstored(): { from: number; upTo: number } | null {
    const { committedUpTo: from, handedUpTo: upTo } = this.#opened;
    return from < upTo ? { from, upTo } : null;
  }

  noteHanded(upTo: number): void {
    this.#opened.handedUpTo = upTo;
    this.#lastHandedAt = performance.now();
  }

  get nextSequence(): number {
    return this.#opened.reader.nextSequence;
  }

  /** Whether state has begun a batch that the event store does not have yet. */
  get isUnfinished(): boolean {
    const { applied, committedUpTo } = this.#opened;
    return applied.state > applied.events && committedUpTo < Math.min(applied.state, this.#durable);
  }

  /** Milliseconds until a batch may begin. 0 or less: now. Null: not before more records or more room are there. */
  get pauseMs(): number | null {
    const waiting = this.#readable - this.nextSequence;
    if (waiting <= 0 || !this.pipeline.hasRoom) return null;
    const { minIntervalMs, steadyAfterMs } = this.#limits;
    const steadyMs = this.suspects.mayKill(this.nextSequence) ? steadyAfterMs - process.uptime() * 1000 : 0;
    if (steadyMs > 0) return steadyMs;
    if (this.#wasCut || waiting >= ENOUGH_RECORDS) return 0;
    // Records that arrive during a commit go into one batch. A batch that is read now would wait for one commit, and later records for two.
    if (this.pipeline.isBusy) return null;
    const patientUntil = this.pipeline.isStoring ? this.#lastHandedAt + STORE_PATIENCE_MS : 0;
    return Math.max(this.#lastBeganAt + minIntervalMs, patientUntil) - performance.now();
  }

  /** Whether a batch is under way, or may begin now. */
  get isBusy(): boolean {
    if (this.#run === null) return false;
    const { pauseMs } = this;
    return this.pipeline.isBusy || (pauseMs !== null && pauseMs <= 0);
  }

  async read(): Promise<Batch> {
    const { reader } = this.#opened;
    const beganAt = performance.now();
    this.#lastBeganAt = beganAt;
    const from = reader.nextSequence;
    const durable = { sequence: this.#readable };
    const records = await reader.read(durable, {
      maxRecords: this.#countToRead(from),
      maxBytes: this.#limits.maxBytes,
    });
    this.#wasCut = reader.nextSequence < durable.sequence;
    const isBacklog = this.#wasCut || records.length >= ENOUGH_RECORDS;
    return { from, upTo: reader.nextSequence, records, isBacklog, beganAt, mappedAt: beganAt };
  }

  /**
   * The sequence below which records may be read. A batch that state has begun is finished first and alone, because newer records may
   * repeat something that another lane has not finished.
   */
  get #readable(): number {
    return this.isUnfinished ? Math.min(this.applied.state, this.#durable) : this.#durable;
  }

  #countToRead(from: number): number {
    const { maxRecords } = this.#limits;
    if (this.suspects.isSuspect(from)) return 1;
    return this.suspects.isWatched(from) ? Math.min(maxRecords, MAX_WATCHED_RECORDS) : maxRecords;
  }

  /** Notes that every store has the batch. */
  noteCommitted(batch: Batch): void {
    this.suspects.end(batch);
    this.#opened.committedUpTo = batch.upTo;
  }

  /** Gives back the memory of these records. Nobody may use them afterwards. */
  recycle(records: readonly JournalRecord[]): void {
    this.#run?.reader.recycle(records);
  }

  get #opened(): LaneRun {
    if (this.#run === null) throw new Error("the lane is not open");
    return this.#run;
  }
}
