import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { MemoryCacheStats } from "../stores/memory-cache.ts";
import type { SourceMapCacheOptions } from "./source-map-cache.ts";
import { type Symbolicator, SymbolicatorClient } from "./symbolicator-client.ts";
import type {
  FromSymbolicatorThread,
  SymbolicationRequest,
  SymbolicatorThreadData,
  ToSymbolicatorThread,
} from "./symbolicator-thread.ts";

export interface SymbolicatorLog {
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface SymbolicatorOptions {
  /** URL of a module with `openSymbolicatorStores` (see `SymbolicatorStoresModule`): the thread opens its own stores. */
  storesModule: string;
  storesOptions: unknown;
  cache?: Partial<SourceMapCacheOptions>;
  /** How long this thread waits for an answer, unless a request sets another limit. Milliseconds. */
  limitMs?: number;
  log: SymbolicatorLog;
  /** The wait before a dead thread is started again. It doubles each time that the thread dies early. */
  minRestartMs?: number;
}

export interface SymbolicatorOwner extends Symbolicator {
  /**
   * Connects another thread to the symbolicator. `deliver` is called with a port for its `SymbolicatorClient.attach`, now and after each
   * restart of the thread. Returns a function that ends this.
   */
  addClient(deliver: (port: MessagePort) => void): () => void;
  /** Resolves when the thread answers. @throws when it does not for some seconds */
  stats(): Promise<MemoryCacheStats & { restartCount: number }>;
  /** Lets the thread finish its running work, for some seconds. */
  close(): Promise<void>;
}

const DEFAULT_MIN_RESTART_MS = 200;
const MAX_RESTART_MS = 30_000;
/** If a thread lived this long, its death has a new reason. */
const LONG_LIFE_MS = 60_000;
const CLOSE_TIMEOUT_MS = 5_000;
const PING_TIMEOUT_MS = 10_000;
/** Maps are outside of the heap. The heap only has scopes, sources and requests. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512 };

/** Starts the symbolicator's thread with the first event that it is to map, and starts it again whenever it dies. */
export function openSymbolicator(options: SymbolicatorOptions): SymbolicatorOwner {
  return new ThreadedSymbolicator(options);
}

class ThreadedSymbolicator implements SymbolicatorOwner {
  readonly #options: SymbolicatorOptions;
  readonly #client: SymbolicatorClient;
  readonly #deliveries = new Set<(port: MessagePort) => void>();
  /** Through which nothing has come yet. */
  readonly #idlePorts = new Set<MessagePort>();
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #isClosing = false;
  #startedAt = 0;
  #restartMs: number;
  #restartCount = 0;
  #restartTimer: NodeJS.Timeout | null = null;
  #nextPing = 0;
  readonly #pings = new Map<number, (cache: MemoryCacheStats) => void>();

  constructor(options: SymbolicatorOptions) {
    this.#options = options;
    this.#restartMs = options.minRestartMs ?? DEFAULT_MIN_RESTART_MS;
    this.#client = new SymbolicatorClient({
      limitMs: options.limitMs,
      onFailure: (message) => options.log.error({ message }, "an event could not be mapped"),
    });
    this.addClient((port) => this.#client.attach(port));
  }

  readonly symbolicate: Symbolicator["symbolicate"] = (event, options) => this.#client.symbolicate(event, options);

  addClient(deliver: (port: MessagePort) => void): () => void {
    // Wrapped, so that the same function may be given twice.
    const delivery = (port: MessagePort) => deliver(port);
    this.#deliveries.add(delivery);
    if (this.#restartTimer === null) this.#connect(delivery);
    return () => void this.#deliveries.delete(delivery);
  }

  stats(): Promise<MemoryCacheStats & { restartCount: number }> {
    return new Promise((resolve, reject) => {
      const id = this.#nextPing++;
      const timer = setTimeout(() => {
        this.#pings.delete(id);
        reject(new Error("the symbolicator's thread does not answer"));
      }, PING_TIMEOUT_MS).unref();
      this.#pings.set(id, (cache) => {
        clearTimeout(timer);
        resolve({ ...cache, restartCount: this.#restartCount });
      });
      if (this.#worker === null && this.#restartTimer === null) this.#start();
      this.#send({ kind: "ping", id });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    this.#client.close();
    for (const port of this.#idlePorts) port.close();
    this.#send({ kind: "close" });
    const timer = setTimeout(() => {
      this.#options.log.warn({ timeoutMs: CLOSE_TIMEOUT_MS }, "the symbolicator's thread does not end: it is stopped");
      void this.#worker?.terminate();
    }, CLOSE_TIMEOUT_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  #start(): void {
    const { storesModule, storesOptions, cache = {}, log } = this.#options;
    const workerData: SymbolicatorThreadData = { storesModule, storesOptions, cache };
    const worker = new Worker(new URL("./symbolicator-worker.ts", import.meta.url), {
      name: "symbolicator",
      workerData,
      resourceLimits: RESOURCE_LIMITS,
      // The process's own flags start what this thread has no use for.
      execArgv: [],
    });
    this.#worker = worker;
    this.#startedAt = performance.now();
    worker.on("message", (message: FromSymbolicatorThread) => {
      if (message.kind !== "pong") return;
      this.#pings.get(message.id)?.(message.cache);
      this.#pings.delete(message.id);
    });
    worker.on("error", (error) => log.error({ err: error }, "the symbolicator's thread failed"));
    this.#ended = new Promise((resolve) => {
      worker.once("exit", (code) => {
        this.#worker = null;
        if (!this.#isClosing) this.#restart(code);
        resolve();
      });
    });
  }

  #connect(deliver: (port: MessagePort) => void): void {
    const { port1, port2 } = new MessageChannel();
    if (this.#worker !== null) this.#handOver(port1, []);
    else this.#waitForUse(port1);
    deliver(port2);
  }

  /** Starts the thread at its first use. It takes 15 MB, which a server without events to map can save. */
  #waitForUse(port: MessagePort): void {
    this.#idlePorts.add(port);
    port.once("message", (request: SymbolicationRequest) => {
      this.#idlePorts.delete(port);
      if (this.#isClosing) return;
      if (this.#worker === null) this.#start();
      this.#handOver(port, [request]);
    });
    port.once("close", () => this.#idlePorts.delete(port));
    port.unref();
  }

  #handOver(port: MessagePort, first: SymbolicationRequest[]): void {
    this.#worker?.postMessage({ kind: "connect", port, first } satisfies ToSymbolicatorThread, [port]);
  }

  #restart(code: number): void {
    const { log, minRestartMs = DEFAULT_MIN_RESTART_MS } = this.#options;
    this.#restartCount++;
    if (performance.now() - this.#startedAt > LONG_LIFE_MS) this.#restartMs = minRestartMs;
    log.error({ code, restartMs: this.#restartMs }, "the symbolicator's thread died; it is started again");
    this.#restartTimer = setTimeout(() => {
      this.#restartTimer = null;
      this.#start();
      for (const deliver of this.#deliveries) this.#connect(deliver);
    }, this.#restartMs);
    this.#restartMs = Math.min(MAX_RESTART_MS, this.#restartMs * 2);
  }

  #send(message: ToSymbolicatorThread): void {
    this.#worker?.postMessage(message);
  }
}
