import { type MessagePort, type ResourceLimits, Worker } from "node:worker_threads";
import type { JournalLog, JournalRecord } from "../journal/journal.ts";
import type { FromMapThread, MapTask, MapThreadData, ToMapThread } from "./map-protocol.ts";
import type { MappedPart, MapStage } from "./map-stage.ts";
import { joinBytes, type PackedBatch, unpackBatch } from "./mapped-batch.ts";

export interface MapThreadsOptions extends MapThreadData {
  /** How many threads there may be. */
  width: number;
  /** Of each; those of Node unless told otherwise. */
  resourceLimits?: ResourceLimits;
  log: JournalLog;
  /** A thread died, or it hangs: what it had is lost, and the caller has to begin again. */
  onDeath: (error: Error) => void;
}

/** A thread that has had a batch for so long will never end it: the largest record takes seconds. */
const MAX_SILENCE_MS = 120_000;

/** Maps batches on threads of their own. A thread is started when a batch comes while the others are busy. */
export class MapThreads implements MapStage {
  readonly width: number;
  readonly #options: MapThreadsOptions;
  readonly #threads: MapThread[] = [];
  /** The latest port to the symbolicator of each thread that is not started yet. */
  readonly #ports = new Map<number, MessagePort>();
  #isClosed = false;

  constructor(options: MapThreadsOptions) {
    this.#options = options;
    this.width = options.width;
  }

  /** At most `width` calls at the same time. */
  async *map(records: readonly JournalRecord[]): AsyncGenerator<MappedPart, void> {
    const thread = this.#threads.find(({ isBusy }) => !isBusy) ?? this.#start();
    for (const { packed, recordCount } of await thread.map(records)) {
      yield { mapped: unpackBatch(packed), recordCount };
    }
  }

  /** Gives a thread its way to the symbolicator. `index`: from 0, below `width`. */
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

  #start(): MapThread {
    const index = this.#threads.length;
    const thread = new MapThread(this.#options, (error) => {
      if (!this.#isClosed) this.#options.onDeath(error);
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

class MapThread {
  readonly #worker: Worker;
  #task: {
    recordCount: number;
    parts: PackedPart[];
    resolve(parts: PackedPart[]): void;
    reject(error: Error): void;
    timer: NodeJS.Timeout;
  } | null = null;

  constructor(
    { storesModule, storesOptions, hasSymbolicator, groupingMoves, resourceLimits, log }: MapThreadsOptions,
    onDeath: (error: Error) => void,
  ) {
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
      if (this.#task) clearTimeout(this.#task.timer);
      onDeath(new Error(`a thread that maps records ended with code ${code}`, { cause: failure }));
    });
  }

  get isBusy(): boolean {
    return this.#task !== null;
  }

  /** Its parts come one by one, and together have all records. */
  map(records: readonly JournalRecord[]): Promise<PackedPart[]> {
    return new Promise((resolve, reject) => {
      // Its end is what is told: the batch that it has is never answered.
      const timer = setTimeout(() => void this.#worker.terminate(), MAX_SILENCE_MS);
      this.#task = { recordCount: records.length, parts: [], resolve, reject, timer };
      const task: MapTask = {
        sequences: records.map(({ sequence }) => sequence),
        bytes: joinBytes(records.map(({ bytes }) => bytes)),
        lengths: records.map(({ bytes }) => bytes.length),
      };
      this.#send({ kind: "map", ...task }, [task.bytes.buffer]);
    });
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
    if (message.kind === "mapped") {
      task.parts.push({ packed: message.batch, recordCount: message.recordCount });
      task.recordCount -= message.recordCount;
      if (task.recordCount > 0) return;
    }
    this.#task = null;
    clearTimeout(task.timer);
    if (message.kind === "mapped") task.resolve(task.parts);
    else task.reject(new Error(`records could not be mapped: ${message.message}`));
  }

  #send(message: ToMapThread, transfer: Array<ArrayBuffer | MessagePort>): void {
    this.#worker.postMessage(message, transfer);
  }
}
