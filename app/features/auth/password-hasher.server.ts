import { Worker } from "node:worker_threads";
import type { HasherBusy, HashLane, HashOptions, PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { HashAnswer, HashRequest } from "./password-worker.ts";

/**
 * Requests per lane. A hash takes a tenth of a second on a free core. So the last one waits some two seconds, or four if cores are
 * busy.
 */
const MAX_WAITING = 16;
/** After this time the queue has moved on, however long it was. */
const RETRY_AFTER_SECONDS = 5;
/** A thread takes 10 MB, and 40 ms to start. */
const IDLE_MS = 10_000;

interface Job {
  request: HashRequest;
  settle: PromiseWithResolvers<HashAnswer>;
}

export interface PasswordThread extends PasswordHasher {
  /** The number of waiting requests, without the running one. */
  waiting(lane: HashLane): number;
  /** Whether the thread exists now. */
  hasThread(): boolean;
  /** Ends the thread and refuses waiting requests. */
  close(): Promise<void>;
}

/**
 * A separate thread that computes one hash at a time at low priority: on libuv's pool, hashes would delay the journal's writes. It
 * starts with the first request and ends after `idleMs` without one.
 */
export function createPasswordHasher({ idleMs = IDLE_MS, maxWaiting = MAX_WAITING } = {}): PasswordThread {
  const lanes: Record<HashLane, Job[]> = { known: [], strangers: [] };
  let worker: Worker | null = null;
  let running: Job | null = null;
  let idleTimer: NodeJS.Timeout | undefined;

  function findBusy(lane: HashLane): HasherBusy | null {
    if (running === null || lanes[lane].length < maxWaiting) return null;
    return { ok: false, reason: "busy", retryAfterSeconds: RETRY_AFTER_SECONDS };
  }

  function ask(request: HashRequest, { lane, signal }: HashOptions): Promise<HashAnswer> | HasherBusy {
    const queue = lanes[lane];
    const busy = findBusy(lane);
    if (busy) return busy;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const job: Job = { request, settle: Promise.withResolvers() };
    queue.push(job);
    signal?.addEventListener(
      "abort",
      () => {
        const place = queue.indexOf(job);
        if (place === -1) return;
        queue.splice(place, 1);
        job.settle.reject(signal.reason);
      },
      { once: true },
    );
    runNext();
    return job.settle.promise;
  }

  function runNext(): void {
    if (running !== null) return;
    running = lanes.known.shift() ?? lanes.strangers.shift() ?? null;
    clearTimeout(idleTimer);
    if (running !== null) {
      worker ??= startWorker();
      // Only a running hash keeps the process alive: at the first start there is nothing else yet.
      worker.ref();
      worker.postMessage(running.request);
    } else if (worker !== null) {
      idleTimer = setTimeout(() => void endWorker(), idleMs).unref();
    }
  }

  function finish(settle: (job: Job) => void): void {
    const job = running;
    running = null;
    worker?.unref();
    if (job !== null) settle(job);
    runNext();
  }

  function startWorker(): Worker {
    const started = new Worker(new URL("./password-worker.ts", import.meta.url), {
      name: "passwords",
      // The flags of the process would start things that this thread does not need, above all monitoring.
      execArgv: [],
    });
    started.on("message", (answer: HashAnswer) => finish(({ settle }) => settle.resolve(answer)));
    started.on("error", (error) => {
      worker = null;
      finish(({ settle }) => settle.reject(error));
    });
    return started;
  }

  async function endWorker(): Promise<void> {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  return {
    findBusy,
    async hash(password, options) {
      const answer = await ask({ password, hash: null }, options);
      return typeof answer === "object" ? answer : { ok: true, hash: String(answer) };
    },
    async verify(password, hash, options) {
      const answer = await ask({ password, hash }, options);
      return typeof answer === "object" ? answer : { ok: true, isRight: answer === true };
    },
    waiting: (lane) => lanes[lane].length,
    hasThread: () => worker !== null,
    async close() {
      clearTimeout(idleTimer);
      const jobs = [running, ...lanes.known.splice(0), ...lanes.strangers.splice(0)];
      running = null;
      for (const job of jobs) job?.settle.reject(new Error("the server is stopping"));
      await endWorker();
    },
  };
}
