import { MIB } from "../domain/bytes.ts";
import { Turns } from "../domain/turns.ts";
import type { JournalLog, JournalRecord } from "../journal/journal.ts";
import type { State } from "../stores/state/state.ts";
import { type CommittedBatch, commitBatch, type DigestStores } from "./commit-batch.ts";
import { type Batch, DigestLane, type LaneOptions } from "./digest-lane.ts";
import { setAsideRecord } from "./digest-records.ts";
import type { DigestEventStore } from "./event-store-port.ts";
import { FirstEvents } from "./first-events.ts";
import type { IssueChange } from "./live-publisher.ts";
import type { MappedPart, MapStage } from "./map-stage.ts";
import { listIdentities, type MappedBatch, toMappedBatch } from "./mapped-batch.ts";
import type { SetAsideFolder } from "./set-aside-folder.ts";

export interface DigestLimits {
  maxRecords: number;
  /** The most bytes of journal payload in one batch. A single record is taken whatever its size. */
  maxBytes: number;
  /** The least time between the starts of two batches while few records wait. It prevents tiny commits and payload blocks. */
  minIntervalMs: number;
  /** The same for lanes after the first one. Nobody waits for their records, and small commits are expensive. */
  minBulkIntervalMs: number;
  /**
   * The time from the start of the process until it reads a record that may have killed the process before. A cause that kills a process
   * again and again soon after its start (an impatient supervisor, a lack of memory) does so within this time, and then no record is blamed
   * for it.
   */
  steadyAfterMs: number;
  /** The wait after the first failure of a store. It doubles with each further failure, up to `maxRetryMs`. */
  minRetryMs: number;
  maxRetryMs: number;
}

export const DEFAULT_DIGEST_LIMITS: DigestLimits = {
  maxRecords: 1000,
  maxBytes: 8 * MIB,
  minIntervalMs: 50,
  minBulkIntervalMs: 200,
  steadyAfterMs: 5_000,
  minRetryMs: 250,
  maxRetryMs: 10_000,
};

export interface DigestLoopOptions {
  /** In the order in which they are digested. */
  lanes: readonly LaneOptions[];
  stores: DigestStores & { state: Pick<State, "directory">; events: DigestEventStore };
  mapStage: MapStage;
  /** Whether a store failed because of the data it was given, so that the same try would fail again. */
  isDataError: (error: unknown) => boolean;
  setAside: SetAsideFolder;
  limits: DigestLimits;
  log: JournalLog;
  onBatch: (report: BatchReport) => void;
  /** Called with the positions at which the digest starts, each time it starts: every store has applied the records below. */
  onStart: (positions: readonly LanePosition[]) => void;
}

export interface LanePosition {
  journalId: string;
  /** Exclusive. */
  upTo: number;
}

/** One committed batch, for metrics, live pages, and the journal. */
export interface BatchReport {
  /** Changes of the issues that got events, one entry an issue. */
  changes: IssueChange[];
  /** First events of projects that had none before. */
  firstEvents: Array<{ projectId: number; issueId: number; eventId: string }>;
  /** Stored items by category. */
  stored: Map<string, number>;
  duplicates: number;
  journalId: string;
  /** Exclusive: every store has applied the journal's records below. */
  upTo: number;
  records: number;
  bytes: number;
  /** Time from reading its records to the last commit. */
  durationMs: number;
  /** Milliseconds since 1970. It may have waited for the batch before it between the two in the middle. */
  times: { beganAt: number; mappedAt: number; commitBeganAt: number; endedAt: number };
  /** The projects whose items the batch has, without repeats. */
  projectIds: number[];
  setAsideCount: number;
}

const POISONED = "it stopped the digest, or a store refused it, each time it was tried";
/** The most failures that are logged for one batch. A single bug in our code may affect every item. */
const MAX_LOGGED_PER_BATCH = 5;
/**
 * Reads durable records, has them mapped, and commits them batch by batch, while the next batches are being read and mapped. Batches of one
 * journal are committed in its order, beside those of the other journals. If a store fails, the loop tries again from that store's position
 * until it works.
 *
 * A batch that state had begun before a crash is finished first: until then it is unknown which of its records are repeats.
 */
export class DigestLoop {
  readonly #options: DigestLoopOptions;
  readonly #lanes: readonly DigestLane[];
  /**
   * Each lane commits one batch at a time. Two commits that share an identity run one after the other. Otherwise each would ask the event
   * store for repeats and miss those of the other.
   */
  readonly #commits = new Turns();
  readonly #firstEvents: FirstEvents;
  #isClosing = false;
  #wake: (() => void) | null = null;
  #failureCount = 0;
  /** Set after a failure. Nothing is committed then until every lane starts again at the stores' positions. */
  #failure: { error: unknown } | null = null;

  constructor(options: DigestLoopOptions) {
    this.#options = options;
    this.#firstEvents = new FirstEvents(options.stores.state.directory);
    const { limits } = options;
    const bulkLimits = { ...limits, minIntervalMs: limits.minBulkIntervalMs };
    this.#lanes = options.lanes.map((lane, rank) => new DigestLane(rank, lane, rank === 0 ? limits : bulkLimits));
  }

  /** Tells the loop that all records below these sequences may be read. One sequence per journal. */
  setDurable(sequences: readonly number[]): void {
    const isNews = this.#lanes.filter((lane, at) => lane.setDurable(sequences[at] ?? 0)).length > 0;
    if (isNews) this.#wake?.();
  }

  /** Ends the running batches. `run` then resolves. */
  close(): void {
    this.#isClosing = true;
    this.#wake?.();
  }

  /** Resolves after `close`. Never rejects: failures are logged and tried again. */
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
    const { stores, mapStage, log, onStart } = this.#options;
    this.#failure = null;
    try {
      const positions: LanePosition[] = [];
      for (const lane of this.#lanes) {
        // If there are several threads, one of them stays free for the first lane.
        const width = lane.rank === 0 ? mapStage.width : Math.max(1, mapStage.width - 1);
        const { state, events } = await lane.open(stores, { width, onProgress: () => this.#wake?.(), log });
        positions.push({ journalId: lane.journalId, upTo: Math.min(state, events) });
      }
      onStart(positions);
      for (let lane = await this.#nextLane(); lane !== null; lane = await this.#nextLane()) await this.#begin(lane);
      for (const { pipeline } of this.#lanes) await pipeline.end();
    } finally {
      for (const lane of this.#lanes) await lane.close();
    }
  }

  /** The first lane that may begin a batch. Null when there is nothing more to do. @throws the error of a batch in the background */
  async #nextLane(): Promise<DigestLane | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      if (this.#isClosing) return null;
      const unfinished = this.#lanes.find(({ isUnfinished }) => isUnfinished);
      let shortestMs: number | null = null;
      for (const lane of unfinished ? [unfinished] : this.#lanes) {
        const { pauseMs } = lane;
        if (pauseMs === null) continue;
        if (pauseMs <= 0) return lane;
        shortestMs = Math.min(pauseMs, shortestMs ?? pauseMs);
      }
      await this.#sleep(shortestMs);
    }
  }

  /** Reads the next batch of the lane. The rest happens in the background, unless one of its records may be the one that kills. */
  async #begin(lane: DigestLane): Promise<void> {
    const isWatched = lane.suspects.isWatched(lane.nextSequence);
    // It runs alone, with no other lane: the last attempt that began must be the one that killed.
    if (isWatched) for (const { pipeline } of this.#lanes) await pipeline.end();
    const batch = await lane.read();
    if (isWatched) lane.suspects.begin(batch);
    const parts = this.#map(lane, batch);
    const mapping = parts.next().then((first) => {
      batch.mappedAt = performance.now();
      return first;
    });
    const commit = async (first: IteratorResult<MappedPart, void>, onLogged: () => void) => {
      await this.#commitParts(lane, batch, { first, parts, onLogged });
      lane.recycle(batch.records);
    };
    const committed = lane.pipeline.add(mapping, commit, batch.records.length);
    committed
      // The remaining parts are not mapped: after a failure, the batch begins again.
      .finally(() => parts.return())
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#wake?.();
      });
    if (isWatched) await committed;
  }

  async *#map(lane: DigestLane, { records, isBacklog }: Batch): AsyncGenerator<MappedPart, void> {
    const { suspects, applied } = lane;
    const [first] = records;
    const before = this.#lanes.filter(({ rank }) => rank < lane.rank);
    const standsBack = () => before.some(({ isBusy }) => isBusy);
    if (first === undefined || !suspects.isPoisoned(first.sequence))
      yield* this.#options.mapStage.map(records, { appliedSequence: applied.state, standsBack, isBacklog });
    else yield { mapped: toMappedBatch(setAsideRecord(first, POISONED)), recordCount: records.length };
  }

  /**
   * Commits each part as a batch of its own. While a batch is on its way, the next part is mapped only after the one before it is stored,
   * so that few parts are in memory.
   */
  async #commitParts(
    lane: DigestLane,
    { records, upTo, ...batch }: Batch,
    {
      first,
      parts,
      onLogged,
    }: {
      first: IteratorResult<MappedPart, void>;
      parts: AsyncGenerator<MappedPart, void>;
      /** Called once the stores on this thread have the whole batch. */
      onLogged: () => void;
    },
  ): Promise<void> {
    let from = 0;
    for (let next = first; !next.done; next = await parts.next()) {
      const { mapped, recordCount, recycle } = next.value;
      const ofPart = records.slice(from, from + recordCount);
      from += recordCount;
      const end = from < records.length ? (records[from] as JournalRecord).sequence : upTo;
      const part = { ...batch, from: ofPart[0]?.sequence ?? batch.from, upTo: end, records: ofPart };
      await this.#commits.run(listIdentities(mapped.items), async () => {
        if (this.#failure !== null) throw this.#failure.error;
        try {
          await this.#commit(lane, { batch: part, mapped, onLogged: end === upTo ? onLogged : () => undefined });
        } catch (error) {
          // Set here, before the next commit of the queue starts.
          this.#failure ??= { error };
          throw error;
        }
      });
      recycle?.();
    }
  }

  async #commit(
    lane: DigestLane,
    { batch, mapped, onLogged }: { batch: Batch; mapped: MappedBatch; onLogged: () => void },
  ): Promise<void> {
    const { stores, setAside, onBatch, isDataError } = this.#options;
    const { journalId, applied, suspects } = lane;
    const commitBeganAt = performance.now();
    await this.#setAside(journalId, mapped.setAside);
    const withoutEvents = await this.#firstEvents.withoutEvents(
      mapped.items.flatMap(({ occurrence }) => occurrence?.projectId ?? []),
    );
    let committed: CommittedBatch;
    try {
      const [{ upTo }, { unstored }] = [batch, lane];
      const position = { journalId, upTo, applied, ...(unstored && { unstored }) };
      committed = await commitBatch(stores, mapped, position, () => {
        lane.noteHanded(upTo);
        onLogged();
      });
    } catch (error) {
      if (isDataError(error)) suspects.blame(batch);
      throw error;
    }
    lane.noteCommitted(batch);
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
      journalId,
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

  /** Called before the commit: a record that is counted as set aside must be in the folder. */
  async #setAside(journalId: string, entries: MappedBatch["setAside"]): Promise<void> {
    const { setAside, log } = this.#options;
    for (const [index, entry] of entries.entries()) {
      const path = await setAside.add(journalId, entry);
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

  /** Waits until something happens, or the time is over. Null: without a time limit. */
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
