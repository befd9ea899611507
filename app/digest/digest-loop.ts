import { setImmediate } from "node:timers/promises";
import type { JournalLog, JournalReader, JournalRecord } from "../journal/journal.ts";
import { openJournalReader } from "../journal/open-journal-reader.ts";
import type { State } from "../stores/state/state.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { type AppliedPositions, type CommittedBatch, commitBatch, type DigestStores } from "./commit-batch.ts";
import { digestRecord, emptyDigested, setAsideRecord } from "./digest-records.ts";
import type { Digested } from "./digested.ts";
import { DividedWork } from "./divided-work.ts";
import type { BatchMapping, EventMapper } from "./event-mapper.ts";
import { FirstEvents } from "./first-events.ts";
import type { HelperOnDemand } from "./helper-on-demand.ts";
import type { DigestHelper } from "./helper-thread.ts";
import type { IssueChange } from "./live-publisher.ts";
import type { SetAsideFolder } from "./set-aside-folder.ts";
import { SuspectRecords } from "./suspect-records.ts";

export interface DigestLimits {
  maxRecords: number;
  /** Of journal payload in one batch; one record is taken whatever its size. */
  maxBytes: number;
  /** Between the beginnings of two batches while few records wait: what keeps commits and payload blocks from being tiny. */
  minIntervalMs: number;
  /**
   * From the start of the process to the first look at a record that may have killed the one before. Whatever kills a process
   * again and again soon after its start (an impatient supervisor, a lack of memory) does it within this time, and then no
   * record is taken for what did it.
   */
  steadyAfterMs: number;
  /** After the first failure of a store; doubled with each further one up to `maxRetryMs`. */
  minRetryMs: number;
  maxRetryMs: number;
}

export const DEFAULT_DIGEST_LIMITS: DigestLimits = {
  maxRecords: 1000,
  maxBytes: 8 * 1024 * 1024,
  minIntervalMs: 50,
  steadyAfterMs: 5_000,
  minRetryMs: 250,
  maxRetryMs: 10_000,
};

export interface DigestLoopOptions {
  journalId: string;
  journalDir: string;
  stores: DigestStores & { state: Pick<State, "projects"> };
  /** Absent: events are stored as they came. */
  mapper?: Pick<EventMapper, "begin">;
  /** Absent: every batch is digested by this thread alone. */
  helpers?: Pick<HelperOnDemand, "forBatch" | "ended">;
  /** Whether a store failed because of what it was given, so that trying the same again is of no use. */
  isDataError: (error: unknown) => boolean;
  setAside: SetAsideFolder;
  attempts: AttemptLog;
  /** Whether the thread before this one died, and not the process. */
  isAfterThreadDeath: boolean;
  limits: DigestLimits;
  log: JournalLog;
  onBatch: (report: BatchReport) => void;
  /** The positions from which the digest goes on, each time it does. */
  onStart: (applied: AppliedPositions) => void;
}

/** One committed batch, for metrics, live pages, and the journal. */
export interface BatchReport {
  /** Per issue that got events. */
  changes: IssueChange[];
  /** Of projects that had none before. */
  firstEvents: Array<{ projectId: number; issueId: number; eventId: string }>;
  /** Stored items by category. */
  stored: Map<string, number>;
  duplicates: number;
  /** Exclusive: every store has applied the records below. */
  upTo: number;
  records: number;
  /** Of these, digested by a helper thread or begun by one. */
  sharedRecords: number;
  bytes: number;
  /** From the reading of its records to the last commit. */
  durationMs: number;
  setAsideCount: number;
}

const POISONED = "it stopped the digest, or a store refused it, each time it was tried";
/** Of the event loop, before messages and the steps of the commit before get a turn: a dozen of them, one after the other. */
const TURN_MS = 3;
const RECORDS_PER_LOOK = 4;
/** One fault in our own code may meet every item there is. */
const MAX_LOGGED_PER_BATCH = 5;
/** With so many waiting, a batch is worth its commit without waiting for more. */
const ENOUGH_RECORDS = 250;

/**
 * Reads durable records, turns them into facts, and commits these batch by batch, while the next batch is being read and
 * digested. A store that fails is tried again, from its own position, until it works.
 */
export class DigestLoop {
  readonly #options: DigestLoopOptions;
  readonly #suspects: SuspectRecords;
  readonly #firstEvents: FirstEvents;
  #durable = 0;
  #isClosing = false;
  #wake: (() => void) | null = null;
  #failureCount = 0;
  #lastBeganAt = Number.NEGATIVE_INFINITY;
  #commitFailure: { error: unknown } | null = null;
  #turnEndsAt = 0;
  readonly #startedAt = performance.now();

  constructor(options: DigestLoopOptions) {
    this.#options = options;
    this.#firstEvents = new FirstEvents(options.stores.state.projects);
    this.#suspects = new SuspectRecords(options.attempts, options.isAfterThreadDeath);
  }

  /** Everything below this sequence may be read. */
  setDurable(sequence: number): void {
    if (sequence <= this.#durable) return;
    this.#durable = sequence;
    this.#wake?.();
  }

  /** Ends what is begun; `run` then resolves. */
  close(): void {
    this.#isClosing = true;
    this.#wake?.();
  }

  /** Resolves after `close`. Rejects never: what fails is logged and tried again. */
  async run(): Promise<void> {
    while (!this.#isClosing) {
      try {
        await this.#runFromStores();
      } catch (error) {
        await this.#backOff(error);
      }
    }
  }

  async #runFromStores(): Promise<void> {
    const { journalId, journalDir, stores, log } = this.#options;
    const applied: AppliedPositions = {
      state: await stores.state.batches.appliedSequence(journalId),
      events: await stores.events.appliedSequence(journalId),
    };
    const fromSequence = Math.min(applied.state, applied.events);
    this.#options.onStart(applied);
    this.#suspects.startFrom(fromSequence);
    this.#commitFailure = null;

    const reader = await openJournalReader({ dir: journalDir, fromSequence, log });
    let committing: Promise<void> = Promise.resolve();
    try {
      while (await this.#waitForRecords(reader)) {
        const from = reader.nextSequence;
        if (this.#suspects.mayHaveKilledProcess(from)) await this.#waitUntilSteady();
        if (this.#isClosing) break;
        const beganAt = performance.now();
        this.#lastBeganAt = beganAt;
        const { maxRecords, maxBytes } = this.#options.limits;
        const records = await reader.read(
          { sequence: this.#durable },
          { maxRecords: this.#suspects.isSuspect(from) ? 1 : maxRecords, maxBytes },
        );
        const batch = { from, upTo: reader.nextSequence, records, beganAt };
        // One at a time while it is not known whether a record kills: the last one begun must be the one that did.
        const isWatched = this.#suspects.begin(batch);
        const helper = isWatched
          ? null
          : (this.#options.helpers?.forBatch(this.#durable - reader.nextSequence) ?? null);
        const { digested, sharedRecords } = await this.#digest(records, helper);
        await committing;
        committing = this.#commit({ ...batch, sharedRecords }, digested, applied);
        committing.catch((error: unknown) => {
          this.#commitFailure = { error };
          this.#wake?.();
        });
        if (isWatched) await committing;
      }
      await committing;
    } finally {
      await committing.catch(() => {});
      await reader.close();
    }
  }

  /** False when there is nothing more to do. @throws what the commit in the background failed with */
  async #waitForRecords(reader: JournalReader): Promise<boolean> {
    for (;;) {
      if (this.#commitFailure !== null) throw this.#commitFailure.error;
      if (this.#isClosing) return false;
      const waiting = this.#durable - reader.nextSequence;
      const pauseMs = this.#lastBeganAt + this.#options.limits.minIntervalMs - performance.now();
      if (waiting > 0 && (pauseMs <= 0 || waiting >= ENOUGH_RECORDS)) return true;
      await this.#sleep(waiting > 0 ? pauseMs : null);
    }
  }

  async #digest(
    records: readonly JournalRecord[],
    helper: DigestHelper | null,
  ): Promise<{ digested: Digested; sharedRecords: number }> {
    const digested = emptyDigested();
    const mapping = await this.#options.mapper?.begin();
    const work = new DividedWork(records, {
      helper,
      projectsWithoutUploads: (helper && mapping?.projectsWithoutUploads()) ?? null,
    });
    for (let piece = work.next(); piece !== null; piece = work.next()) await this.#digestHere(piece, digested, mapping);
    await this.#digestHere(await work.rest(), digested, mapping);
    await mapping?.finish(digested);
    work.mergeInto(digested);
    if (helper !== null) this.#options.helpers?.ended(work.division);
    return { digested, sharedRecords: work.division.given };
  }

  async #digestHere(
    records: readonly JournalRecord[],
    digested: Digested,
    mapping: BatchMapping | undefined,
  ): Promise<void> {
    for (let at = 0; at < records.length; at += RECORDS_PER_LOOK) {
      for (const record of records.slice(at, at + RECORDS_PER_LOOK)) {
        if (this.#suspects.isPoisoned(record.sequence)) setAsideRecord(record, digested, POISONED);
        else digestRecord(record, digested, mapping?.hasUploads);
      }
      mapping?.take(digested);
      if (performance.now() > this.#turnEndsAt) {
        await setImmediate();
        this.#turnEndsAt = performance.now() + TURN_MS;
      }
    }
  }

  async #commit(
    batch: { from: number; upTo: number; records: readonly JournalRecord[]; sharedRecords: number; beganAt: number },
    digested: Digested,
    applied: AppliedPositions,
  ): Promise<void> {
    const { stores, journalId, setAside, onBatch, isDataError } = this.#options;
    await this.#setAside(digested.setAside);
    const withoutEvents = await this.#firstEvents.withoutEvents(digested.events.map(({ row }) => row.projectId));
    let committed: CommittedBatch;
    try {
      committed = await commitBatch(stores, digested, { journalId, upTo: batch.upTo, applied });
    } catch (error) {
      if (isDataError(error)) this.#suspects.blame(batch);
      throw error;
    }
    this.#suspects.end(batch);
    this.#failureCount = 0;
    let bytes = 0;
    for (const record of batch.records) bytes += record.bytes.length;
    onBatch({
      changes: sumByIssue(committed.changes),
      firstEvents: [...withoutEvents].flatMap(
        (id) => committed.changes.find(({ projectId }) => projectId === id) ?? [],
      ),
      stored: committed.stored,
      duplicates: committed.duplicates,
      upTo: batch.upTo,
      records: batch.records.length,
      sharedRecords: batch.sharedRecords,
      bytes,
      durationMs: performance.now() - batch.beganAt,
      setAsideCount: setAside.count,
    });
  }

  /** Before the commit: what is counted as set aside must lie there. */
  async #setAside(entries: Digested["setAside"]): Promise<void> {
    const { setAside, log } = this.#options;
    for (const [index, entry] of entries.entries()) {
      const path = await setAside.add(entry);
      const { sequence, itemIndex, reason } = entry;
      if (index < MAX_LOGGED_PER_BATCH) {
        log.error({ sequence, itemIndex, reason, path }, "an item that cannot be digested is set aside");
      }
    }
    const leftOut = entries.length - MAX_LOGGED_PER_BATCH;
    if (leftOut > 0) log.error({ count: leftOut }, "more items of the same batch are set aside");
  }

  async #backOff(error: unknown): Promise<void> {
    const { minRetryMs, maxRetryMs } = this.#options.limits;
    const retryMs = Math.min(maxRetryMs, minRetryMs * 2 ** this.#failureCount++);
    this.#options.log.error({ err: error, retryMs }, "a batch could not be stored; it is tried again");
    const until = performance.now() + retryMs;
    while (!this.#isClosing && performance.now() < until) await this.#sleep(until - performance.now());
  }

  async #waitUntilSteady(): Promise<void> {
    const until = this.#startedAt + this.#options.limits.steadyAfterMs;
    while (!this.#isClosing && performance.now() < until) await this.#sleep(until - performance.now());
  }

  /** Until something happens, or so long. */
  #sleep(timeoutMs: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = timeoutMs === null ? null : setTimeout(resolve, Math.max(0, timeoutMs));
      this.#wake = () => {
        if (timer !== null) clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}

function sumByIssue(changes: CommittedBatch["changes"]): IssueChange[] {
  const sums = new Map<number, IssueChange>();
  for (const { issueId, projectId, transition } of changes) {
    const sum = sums.get(issueId);
    if (sum) {
      sum.events++;
      sum.transition ??= transition;
    } else {
      sums.set(issueId, { issueId, projectId, transition, events: 1 });
    }
  }
  return [...sums.values()];
}
