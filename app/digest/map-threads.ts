import { type MessagePort, type ResourceLimits, Worker } from "node:worker_threads";
import { MIB } from "../domain/bytes.ts";
import type { JournalLog, JournalRecord } from "../journal/journal.ts";
import type { FromMapThread, MapThreadData, ToMapThread } from "./map-protocol.ts";
import type { MapOptions, MappedPart, MapStage } from "./map-stage.ts";
import { bytesOfPacked, joinBytes, type PackedBatch, unpackBatch } from "./mapped-batch.ts";

export interface MapThreadsOptions extends MapThreadData {
  /** The number of threads. */
  width: number;
  /** The limit for bytes of mapped parts that wait for their commit. Absent: `MAX_WAITING_BYTES`. */
  maxWaitingBytes?: number;
  /** Limits for each thread. Absent: the defaults of Node. */
  resourceLimits?: ResourceLimits;
  log: JournalLog;
  /** Called when a thread died or hangs: its batch is lost, and the caller has to start again. */
  onDeath: (error: Error) => void;
}

/** A thread that holds a batch this long hangs: the largest record takes seconds. */
const MAX_SILENCE_MS = 120_000;

/**
 * Beyond this, only the oldest batch is mapped. A part may have 80 MB (`map-stage.ts`), so each thread may have some 80 MB in addition. A
 * batch of usual events has 10 MB.
 */
const MAX_WAITING_BYTES = 64 * MIB;

/**
 * Maps batches on threads of their own. A thread is started when a batch comes while the others are busy. A batch has one part in memory
 * at a time, as without these threads: the next one is mapped when its caller asks for it.
 */
export class MapThreads implements MapStage {
  readonly width: number;
  readonly #options: MapThreadsOptions;
  readonly #threads: MapThread[] = [];
  /** The latest port to the symbolicator of each thread that is not started yet. */
  readonly #ports = new Map<number, MessagePort>();
  /** Batches that are not yet mapped and taken as a whole, the oldest first. `#waiting`: those of them that have had no thread yet. */
  readonly #open: object[] = [];
  readonly #waiting: object[] = [];
  #waitingBytes = 0;
  #changed = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(options: MapThreadsOptions) {
    this.#options = options;
    this.width = options.width;
  }

  /** Bytes of parts that are mapped but not taken. A part counts as taken when the next one is asked for, or its generator ends. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /**
   * Maps a batch. It waits for the batches before it if no thread is free, or if too many bytes wait to be taken. The caller must always
   * end the generator.
   */
  async *map(records: readonly JournalRecord[], options: MapOptions = {}): AsyncGenerator<MappedPart, void> {
    const batch = {};
    this.#open.push(batch);
    this.#waiting.push(batch);
    const run = await this.#begin(batch, records, options);
    try {
      for (let part = await run.next(); part !== null; part = await run.next()) {
        const { packed, recordCount } = part;
        yield { mapped: unpackBatch(packed), recordCount };
      }
    } finally {
      run.end();
      this.#open.splice(this.#open.indexOf(batch), 1);
      this.#wake();
    }
  }

  /** Gives a thread the port to its symbolicator. `index`: from 0, below `width`. */
  attachSymbolicator(index: number, port: MessagePort): void {
    const thread = this.#threads[index];
    if (thread) thread.attachSymbolicator(port);
    else this.#ports.set(index, port);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const port of this.#ports.values()) port.close();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #begin(batch: object, records: readonly JournalRecord[], options: MapOptions): Promise<MapRun> {
    const { maxWaitingBytes = MAX_WAITING_BYTES } = this.#options;
    for (;;) {
      // Batches start in their order. Otherwise the oldest could wait for a thread behind a later batch, which waits until the oldest is
      // committed.
      if (this.#waiting[0] === batch && (this.#open[0] === batch || this.#waitingBytes < maxWaitingBytes)) {
        const thread =
          this.#threads.find(({ isBusy }) => !isBusy) ?? (this.#threads.length < this.width ? this.#start() : null);
        if (thread !== null) {
          this.#waiting.shift();
          this.#wake();
          return thread.map(records, options);
        }
      }
      await this.#changed.promise;
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #start(): MapThread {
    const index = this.#threads.length;
    const thread = new MapThread(this.#options, {
      onDeath: (error) => {
        if (!this.#isClosed) this.#options.onDeath(error);
      },
      onWaiting: (bytes) => {
        this.#waitingBytes += bytes;
        this.#wake();
      },
    });
    this.#threads.push(thread);
    const port = this.#ports.get(index);
    if (port) thread.attachSymbolicator(port);
    this.#ports.delete(index);
    return thread;
  }
}

interface PackedPart {
  packed: PackedBatch;
  recordCount: number;
}

/** A batch on its way through a thread. */
interface MapRun {
  /** Takes the part before, and waits for the next one; null after the last. */
  next(): Promise<PackedPart | null>;
  /** Takes the part before. The thread is free for another batch, whether there are more parts or not. */
  end(): void;
}

interface MapThreadEvents {
  onDeath(error: Error): void;
  /** The number of waiting bytes grew by `bytes`, or shrank if it is negative. The thread may be free. */
  onWaiting(bytes: number): void;
}

interface MapThreadTask {
  /** Records of parts that are still to come. */
  leftCount: number;
  asked: PromiseWithResolvers<PackedPart>;
  timer: NodeJS.Timeout | undefined;
  onPart(bytes: number): void;
}

class MapThread {
  readonly #worker: Worker;
  readonly #events: MapThreadEvents;
  #task: MapThreadTask | null = null;

  constructor(
    { storesModule, storesOptions, hasSymbolicator, groupingMoves, resourceLimits, log }: MapThreadsOptions,
    events: MapThreadEvents,
  ) {
    this.#events = events;
    this.#worker = new Worker(new URL("./map-worker.ts", import.meta.url), {
      name: "digest-map",
      workerData: { storesModule, storesOptions, hasSymbolicator, groupingMoves } satisfies MapThreadData,
      ...(resourceLimits && { resourceLimits }),
      execArgv: [],
    });
    this.#worker.on("message", (message: FromMapThread) => {
      if (message.kind === "log") log[message.level](message.facts, message.message);
      else this.#settle(message);
    });
    let failure: unknown;
    this.#worker.once("error", (error) => {
      failure = error;
    });
    this.#worker.once("exit", (code) => {
      clearTimeout(this.#task?.timer);
      events.onDeath(new Error(`a thread that maps records ended with code ${code}`, { cause: failure }));
    });
  }

  get isBusy(): boolean {
    return this.#task !== null;
  }

  /** Maps a batch. Its parts come one by one, and together cover all records. */
  map(records: readonly JournalRecord[], { appliedSequence = 0 }: MapOptions): MapRun {
    let waitingBytes = 0;
    const first = Promise.withResolvers<PackedPart>();
    const task: MapThreadTask = {
      leftCount: records.length,
      asked: first,
      timer: undefined,
      onPart: (bytes) => {
        waitingBytes = bytes;
        this.#events.onWaiting(bytes);
      },
    };
    this.#task = task;
    const bytes = joinBytes(records.map((record) => record.bytes));
    this.#ask(
      {
        kind: "map",
        sequences: records.map(({ sequence }) => sequence),
        bytes,
        lengths: records.map((record) => record.bytes.length),
        appliedSequence,
      },
      [bytes.buffer],
    );
    const take = () => {
      const taken = waitingBytes;
      waitingBytes = 0;
      if (taken > 0) this.#events.onWaiting(-taken);
    };
    let isFirst = true;
    return {
      next: async () => {
        if (isFirst) {
          isFirst = false;
          return await first.promise;
        }
        take();
        // Another batch may have taken the thread meanwhile.
        if (this.#task !== task) return null;
        task.asked = Promise.withResolvers();
        this.#ask({ kind: "next" });
        return await task.asked.promise;
      },
      end: () => {
        take();
        if (this.#task !== task) return;
        this.#task = null;
        clearTimeout(task.timer);
        this.#send({ kind: "end" });
      },
    };
  }

  attachSymbolicator(port: MessagePort): void {
    this.#send({ kind: "symbolicator", port }, [port]);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(message: Exclude<FromMapThread, { kind: "log" }>): void {
    const task = this.#task;
    if (task === null) return;
    clearTimeout(task.timer);
    if (message.kind === "failed") {
      this.#task = null;
      task.asked.reject(new Error(`records could not be mapped: ${message.message}`));
      this.#events.onWaiting(0);
      return;
    }
    const { batch: packed, recordCount } = message;
    task.leftCount -= recordCount;
    if (task.leftCount <= 0) this.#task = null;
    task.asked.resolve({ packed, recordCount });
    task.onPart(bytesOfPacked(packed));
  }

  /** Sends a message that needs an answer. If none comes, the thread is terminated. */
  #ask(message: ToMapThread, transfer: Array<ArrayBuffer | MessagePort> = []): void {
    // The end of the thread is reported, not its batch: the batch will never be answered.
    if (this.#task) this.#task.timer = setTimeout(() => void this.#worker.terminate(), MAX_SILENCE_MS);
    this.#send(message, transfer);
  }

  #send(message: ToMapThread, transfer: Array<ArrayBuffer | MessagePort> = []): void {
    this.#worker.postMessage(message, transfer);
  }
}
