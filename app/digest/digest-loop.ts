import { MIB } from "../domain/bytes.ts";
import type { JournalLog, JournalReader, JournalRecord } from "../journal/journal.ts";
import { openJournalReader } from "../journal/open-journal-reader.ts";
import type { State } from "../stores/state/state.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { BatchPipeline } from "./batch-pipeline.ts";
import { type AppliedPositions, type CommittedBatch, commitBatch, type DigestStores } from "./commit-batch.ts";
import { setAsideRecord } from "./digest-records.ts";
import type { DigestEventStore } from "./event-store-port.ts";
import { FirstEvents } from "./first-events.ts";
import type { IssueChange } from "./live-publisher.ts";
import type { MappedPart, MapStage } from "./map-stage.ts";
import { type MappedBatch, toMappedBatch } from "./mapped-batch.ts";
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
  maxBytes: 8 * MIB,
  minIntervalMs: 50,
  steadyAfterMs: 5_000,
  minRetryMs: 250,
  maxRetryMs: 10_000,
};

export interface DigestLoopOptions {
  journalId: string;
  journalDir: string;
  stores: DigestStores & { state: Pick<State, "directory">; events: DigestEventStore };
  mapStage: MapStage;
  /** Whether a store failed because of what it was given, so that trying the same again is of no use. */
  isDataError: (error: unknown) => boolean;
  setAside: SetAsideFolder;
  attempts: AttemptLog;
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
  bytes: number;
  /** From the reading of its records to the last commit. */
  durationMs: number;
  /** Milliseconds since 1970. It may have waited for the batch before it between the two in the middle. */
  times: { beganAt: number; mappedAt: number; commitBeganAt: number; endedAt: number };
  /** Whose items it has, each once. */
  projectIds: number[];
  setAsideCount: number;
}

const POISONED = "it stopped the digest, or a store refused it, each time it was tried";
/** One fault in our own code may meet every item there is. */
const MAX_LOGGED_PER_BATCH = 5;
/** With so many waiting, a batch is worth its commit without waiting for more. */
const ENOUGH_RECORDS = 250;

interface Batch {
  from: number;
  /** Exclusive. */
  upTo: number;
  records: readonly JournalRecord[];
  /** By `performance.now()`. */
  beganAt: number;
  mappedAt: number;
}

/**
 * Reads durable records, has them mapped, and commits them batch by batch in the order of the journal, while the next
 * batches are being read and mapped. A store that fails is tried again, from its own position, until it works.
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

  constructor(options: DigestLoopOptions) {
    this.#options = options;
    this.#firstEvents = new FirstEvents(options.stores.state.directory);
    this.#suspects = new SuspectRecords(options.attempts);
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
      ahead: await stores.events.appliedAhead(journalId),
    };
    const fromSequence = Math.min(applied.state, applied.events);
    this.#options.onStart(applied);
    this.#suspects.startFrom(fromSequence, applied.state);
    this.#commitFailure = null;

    const reader = await openJournalReader({ dir: journalDir, fromSequence, log });
    const pipeline = new BatchPipeline(this.#options.mapStage.width);
    try {
      while (await this.#waitForRecords(reader)) {
        const from = reader.nextSequence;
        if (this.#suspects.mayKill(from)) await this.#waitUntilSteady();
        if (this.#isClosing) break;
        const beganAt = performance.now();
        this.#lastBeganAt = beganAt;
        const { maxRecords, maxBytes } = this.#options.limits;
        const records = await reader.read(
          { sequence: this.#durable },
          { maxRecords: this.#suspects.isSuspect(from) ? 1 : maxRecords, maxBytes },
        );
        const batch: Batch = { from, upTo: reader.nextSequence, records, beganAt, mappedAt: beganAt };
        // One at a time while it is not known whether a record kills: the last one begun must be the one that did.
        const isWatched = this.#suspects.begin(batch);
        const parts = this.#map(records, applied.state);
        const mapping = parts.next().then((first) => {
          batch.mappedAt = performance.now();
          return first;
        });
        const committed = pipeline.add(mapping, async (first) => {
          await this.#commitParts(batch, { first, parts }, applied);
          reader.recycle(records);
        });
        committed
          // What is left of it is not mapped: after a failure it begins again.
          .finally(() => parts.return())
          .catch((error: unknown) => {
            this.#commitFailure ??= { error };
            this.#wake?.();
          });
        if (isWatched) await committed;
        else await pipeline.room();
      }
      await pipeline.end();
    } finally {
      await pipeline.end().catch(() => {});
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

  async *#map(records: readonly JournalRecord[], appliedSequence: number): AsyncGenerator<MappedPart, void> {
    const [first] = records;
    if (first === undefined || !this.#suspects.isPoisoned(first.sequence))
      yield* this.#options.mapStage.map(records, { appliedSequence });
    else yield { mapped: toMappedBatch(setAsideRecord(first, POISONED)), recordCount: records.length };
  }

  /** Each part is a batch of its own; one that is on its way is mapped after the one before it is stored, so that few are in memory. */
  async #commitParts(
    { records, upTo, ...batch }: Batch,
    { first, parts }: { first: IteratorResult<MappedPart, void>; parts: AsyncGenerator<MappedPart, void> },
    applied: AppliedPositions,
  ): Promise<void> {
    let from = 0;
    for (let next = first; !next.done; next = await parts.next()) {
      const { mapped, recordCount } = next.value;
      const ofPart = records.slice(from, from + recordCount);
      from += recordCount;
      const end = from < records.length ? (records[from] as JournalRecord).sequence : upTo;
      await this.#commit(
        { ...batch, from: ofPart[0]?.sequence ?? batch.from, upTo: end, records: ofPart },
        mapped,
        applied,
      );
    }
  }

  async #commit(batch: Batch, mapped: MappedBatch, applied: AppliedPositions): Promise<void> {
    const { stores, journalId, setAside, onBatch, isDataError } = this.#options;
    const commitBeganAt = performance.now();
    await this.#setAside(mapped.setAside);
    const withoutEvents = await this.#firstEvents.withoutEvents(
      mapped.items.flatMap(({ occurrence }) => occurrence?.projectId ?? []),
    );
    let committed: CommittedBatch;
    try {
      committed = await commitBatch(stores, mapped, { journalId, upTo: batch.upTo, applied });
    } catch (error) {
      if (isDataError(error)) this.#suspects.blame(batch);
      throw error;
    }
    this.#suspects.end(batch);
    this.#failureCount = 0;
    let bytes = 0;
    for (const record of batch.records) bytes += record.bytes.length;
    const endedAt = performance.now();
    const toTime = (at: number) => performance.timeOrigin + at;
    onBatch({
      changes: sumByIssue(committed.changes),
      firstEvents: [...withoutEvents].flatMap(
        (id) => committed.changes.find(({ projectId }) => projectId === id) ?? [],
      ),
      stored: committed.stored,
      duplicates: committed.duplicates,
      upTo: batch.upTo,
      records: batch.records.length,
      bytes,
      durationMs: endedAt - batch.beganAt,
      times: {
        beganAt: toTime(batch.beganAt),
        mappedAt: toTime(batch.mappedAt),
        commitBeganAt: toTime(commitBeganAt),
        endedAt: toTime(endedAt),
      },
      projectIds: [...new Set(mapped.items.map(({ projectId }) => projectId))],
      setAsideCount: setAside.count,
    });
  }

  /** Before the commit: what is counted as set aside must lie there. */
  async #setAside(entries: MappedBatch["setAside"]): Promise<void> {
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
    const waitMs = () => this.#options.limits.steadyAfterMs - process.uptime() * 1000;
    while (!this.#isClosing && waitMs() > 0) await this.#sleep(waitMs());
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
