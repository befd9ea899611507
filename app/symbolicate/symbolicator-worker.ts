import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createArtifactLookups } from "./artifact-lookups.ts";
import { SourceMapCache } from "./source-map-cache.ts";
import { symbolicateEvent } from "./symbolicate-event.ts";
import type {
  FromSymbolicatorThread,
  SymbolicationAnswer,
  SymbolicationRequest,
  SymbolicatorStoresModule,
  SymbolicatorThreadData,
  ToSymbolicatorThread,
} from "./symbolicator-thread.ts";

// The entry of the symbolicator's thread, which `open-symbolicator.ts` starts.

if (parentPort === null) throw new Error("symbolicator-worker.ts is the entry of a thread");
const port = parentPort;
const data: SymbolicatorThreadData = workerData;

const { openSymbolicatorStores }: SymbolicatorStoresModule = await import(data.storesModule);
const stores = await openSymbolicatorStores(data.storesOptions);
const lookups = createArtifactLookups(stores.artifacts);
const files = new SourceMapCache(stores.blobs, data.cache, stores.publicFiles?.readFetched);
const clients = new Set<MessagePort>();
const running = new Set<Promise<void>>();

function send(message: FromSymbolicatorThread): void {
  port.postMessage(message);
}

async function answer(client: MessagePort, request: SymbolicationRequest): Promise<void> {
  const { id, projectId, event, withDiagnosis, limitMs } = request;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  let message: SymbolicationAnswer;
  try {
    const { artifacts, publicFiles } = stores;
    const result = await symbolicateEvent(event, {
      projectId,
      lookups,
      artifacts,
      files,
      // Events alone, which anyone may send, must make nothing be fetched, and the digest must wait for no network.
      ...(withDiagnosis ? { publicFiles } : {}),
      deadline,
      withDiagnosis,
    });
    message = { id, kind: "done", ...result };
  } catch (error) {
    message = { id, kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    clearTimeout(timer);
  }
  client.postMessage(message);
}

function connect(client: MessagePort, first: readonly SymbolicationRequest[]): void {
  clients.add(client);
  const begin = (request: SymbolicationRequest) => {
    const work = answer(client, request).finally(() => running.delete(work));
    running.add(work);
  };
  for (const request of first) begin(request);
  client.on("message", begin);
  client.on("close", () => clients.delete(client));
}

port.on("message", (message: ToSymbolicatorThread) => {
  switch (message.kind) {
    case "connect":
      connect(message.port, message.first);
      break;
    case "ping":
      send({ kind: "pong", id: message.id, cache: files.stats() });
      break;
    case "close":
      void close();
      break;
  }
});

async function close(): Promise<void> {
  await Promise.all(running);
  for (const client of clients) client.close();
  await stores.close();
  // Nothing else keeps the thread alive: it ends by itself.
  port.close();
}

send({ kind: "started" });
