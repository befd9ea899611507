import { Worker } from "node:worker_threads";
import type { BundleManifest } from "../domain/artifact.ts";
import { createInTurn } from "../domain/in-turn.ts";
import { MINUTE_MS, SECOND_MS } from "../domain/time.ts";

export type ReadBundle = { ok: true; manifest: BundleManifest } | { ok: false; problem: string };

/** The largest archive of maps that are read whole takes half a minute. */
const MAX_READ_MS = 2 * MINUTE_MS;
/** A build uploads its bundles one after the other, and starting the thread takes longer than reading most of them. */
const IDLE_MS = 10 * SECOND_MS;

/**
 * Creates the reader of uploads. It lists the files of an upload, and which of them have a debug id. It works on a thread of its own, one
 * upload at a time: a map of 128 MB that was made to be slow takes a second of the processor, and requests must not wait for it. The thread
 * starts with the first upload, and ends when none has come for `idleMs`. `problem` is a text for the sender of the upload; faults of the
 * disk reject.
 */
export function createBundleReader({
  maxMs = MAX_READ_MS,
  idleMs = IDLE_MS,
} = {}): (path: string) => Promise<ReadBundle> {
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  const inTurn = createInTurn();

  async function readNext(path: string): Promise<ReadBundle> {
    clearTimeout(idleTimer);
    worker ??= startWorker();
    try {
      return await ask(worker, path, maxMs);
    } catch (error) {
      endWorker();
      if (error instanceof ReadTimeoutError) return { ok: false, problem: error.message };
      throw error;
    } finally {
      idleTimer = setTimeout(endWorker, idleMs).unref();
    }
  }

  function endWorker(): void {
    void worker?.terminate();
    worker = null;
  }

  return (path) => inTurn(() => readNext(path));
}

class ReadTimeoutError extends Error {}

function startWorker(): Worker {
  // The heap has no limit: V8 ends the process when a single value exceeds it. A manifest of 16 MiB takes 400 MB at most.
  const worker = new Worker(new URL("./bundle-worker.ts", import.meta.url), {
    name: "bundle",
    // The process's own flags start what this thread has no use for.
    execArgv: [],
  });
  worker.unref();
  return worker;
}

function ask(worker: Worker, path: string, maxMs: number): Promise<ReadBundle> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadBundle>();
  const onExit = (code: number) => reject(new Error(`the thread that read an upload ended with ${code}`));
  const timer = setTimeout(
    () => reject(new ReadTimeoutError(`reading the upload takes more than ${maxMs / 1_000} seconds`)),
    maxMs,
  );
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  worker.postMessage(path);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  });
}
