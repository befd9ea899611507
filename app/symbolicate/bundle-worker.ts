import { parentPort, workerData } from "node:worker_threads";
import { openLocalFile } from "./local-file-reader.ts";
import { readArtifactBundle } from "./read-artifact-bundle.ts";
import type { FromBundleThread } from "./read-bundle-on-thread.ts";
import { ArchiveError } from "./zip-directory.ts";

// The entry of the thread that reads one upload, which `read-bundle-on-thread.ts` starts.

if (parentPort === null) throw new Error("bundle-worker.ts is the entry of a thread");
parentPort.postMessage(await read(workerData));

async function read(path: string): Promise<FromBundleThread> {
  const reader = await openLocalFile(path);
  try {
    return { ok: true, manifest: (await readArtifactBundle(reader, { derive: true })).manifest };
  } catch (error) {
    if (error instanceof ArchiveError) return { ok: false, problem: error.message };
    throw error;
  } finally {
    await reader.close();
  }
}
