import { Worker } from "node:worker_threads";
import type { BundleManifest } from "../domain/artifact.ts";
import { MINUTE_MS } from "../domain/time.ts";

export type FromBundleThread = { ok: true; manifest: BundleManifest } | { ok: false; problem: string };

/** The largest archive of maps that are read whole takes half a minute. */
const MAX_READ_MS = 2 * MINUTE_MS;

/**
 * Reads what an upload holds, and the files in it that may have a debug id, on a thread of its own: a map of 128 MB that was made to be slow
 * takes a second of the processor, and requests must not wait for it. `problem` is for who sent the upload. @throws for faults of the disk
 */
export function readBundleOnThread(path: string, { maxMs = MAX_READ_MS } = {}): Promise<FromBundleThread> {
  // No limit for its heap: V8 ends the process when one value goes beyond it. A manifest of 16 MiB takes 400 MB at most.
  const worker = new Worker(new URL("./bundle-worker.ts", import.meta.url), {
    name: "bundle",
    workerData: path,
    // The process's own flags start what this thread has no use for.
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve({ ok: false, problem: `reading the upload takes more than ${maxMs / 1_000} seconds` });
      void worker.terminate();
    }, maxMs);
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the thread that read an upload ended with ${code}`));
    });
  });
}
