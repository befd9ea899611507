import { parentPort } from "node:worker_threads";
import type { ReadBundle } from "./create-bundle-reader.ts";
import { openLocalFile } from "./local-file-reader.ts";
import { readArtifactBundle } from "./read-artifact-bundle.ts";
import { ArchiveError } from "./zip-directory.ts";

// The entry of the thread that reads uploads, which `create-bundle-reader.ts` starts. It is asked one path at a time.

if (parentPort === null) throw new Error("bundle-worker.ts is the entry of a thread");
const port = parentPort;
port.on("message", async (path: string) => port.postMessage(await read(path)));

async function read(path: string): Promise<ReadBundle> {
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
