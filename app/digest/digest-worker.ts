import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { loadGroupingMoves } from "../grouping/grouping-moves.ts";
import { CurrentRules } from "../grouping/rules/project-rules.ts";
import type { JournalLog } from "../journal/journal.ts";
import { SymbolicatorClient } from "../symbolicate/symbolicator-client.ts";
import { yieldProcessor } from "../yield-processor.ts";
import { AttemptLog } from "./attempt-log.ts";
import { DigestLoop } from "./digest-loop.ts";
import {
  type DigestStoresModule,
  type DigestThreadData,
  type FromDigestThread,
  type ToDigestThread,
  toPlainFacts,
} from "./digest-thread.ts";
import { EventMapper } from "./event-mapper.ts";
import { connectEventStore } from "./event-store-port.ts";
import { MainThreadLoad } from "./main-thread-load.ts";
import { type MapStage, mapOnThisThread } from "./map-stage.ts";
import { MapThreads } from "./map-threads.ts";
import { RuleBook } from "./rules/rule-book.ts";
import { VolumeBook } from "./rules/volume-book.ts";
import { SetAsideFolder } from "./set-aside-folder.ts";

// The entry of the digest thread, which `open-digest.ts` starts.

if (parentPort === null) throw new Error("digest-worker.ts is the entry of a thread");
const port = parentPort;
const data: DigestThreadData = workerData;
yieldProcessor();

/** Accepting, the digest and its helpers keep this many cores busy in a burst. With more cores, no thread has to stand back. */
const FEW_CORES = 3;

function send(message: FromDigestThread): void {
  port.postMessage(message);
}

const log: JournalLog = {
  info: (facts, message) => send({ kind: "log", level: "info", facts: toPlainFacts(facts), message }),
  warn: (facts, message) => send({ kind: "log", level: "warn", facts: toPlainFacts(facts), message }),
  error: (facts, message) => send({ kind: "log", level: "error", facts: toPlainFacts(facts), message }),
};

const { openDigestStores }: DigestStoresModule = await import(data.storesModule);
const { state, payloads, isDataError } = await openDigestStores(data.storesOptions);
const groupingMoves = await loadGroupingMoves(state.directory);
const setAside = await SetAsideFolder.open(data.setAsideDir);

/** The map stage, and how a symbolicator gets to it. */
interface RunningMapStage {
  stage: MapStage;
  attachSymbolicator(mapThread: number, port: MessagePort): void;
  close(): Promise<void>;
}

function openMapStage(): RunningMapStage {
  const { mapThreads, resourceLimits, hasSymbolicator, storesModule, storesOptions } = data;
  if (mapThreads > 1) {
    const onDeath = (error: Error) => {
      // The error ends this thread. The next thread starts at the stores' positions, as after any other death.
      throw error;
    };
    const stage = new MapThreads({
      width: mapThreads,
      resourceLimits,
      storesModule,
      storesOptions,
      hasSymbolicator,
      groupingMoves,
      log,
      onDeath,
    });
    return {
      stage,
      attachSymbolicator: (index, port) => stage.attachSymbolicator(index, port),
      close: () => stage.close(),
    };
  }
  const intake = availableParallelism() <= FEW_CORES ? new MainThreadLoad() : undefined;
  const symbolicator = new SymbolicatorClient({
    onFailure: (message) => log.error({ message }, "an event could not be mapped"),
  });
  return {
    stage: mapOnThisThread(
      hasSymbolicator ? new EventMapper({ symbolicator, artifacts: state.artifactIndex }) : undefined,
      groupingMoves,
      { rules: new CurrentRules(state.groupingRuleIndex), ruleBook: new RuleBook(state.ruleIndex), intake },
    ),
    attachSymbolicator: (_, port) => symbolicator.attach(port),
    close: async () => {
      symbolicator.close();
      intake?.close();
    },
  };
}

const mapStage = openMapStage();
const loop = new DigestLoop({
  lanes: data.journals.map((journal, rank) => ({
    ...journal,
    attempts: new AttemptLog(join(data.setAsideDir, rank === 0 ? "attempt" : `attempt-${rank}`)),
  })),
  stores: { state, payloads, events: connectEventStore(data.eventPort), volume: new VolumeBook(state.ruleIndex) },
  mapStage: mapStage.stage,
  isDataError,
  setAside,
  limits: data.limits,
  log,
  onBatch: (report) => send({ kind: "batch", report }),
  onStart: (positions) => send({ kind: "started", positions, setAsideCount: setAside.count }),
});
loop.setDurable(data.durable);

port.on("message", (message: ToDigestThread) => {
  switch (message.kind) {
    case "durable":
      loop.setDurable(message.sequences);
      break;
    case "symbolicator":
      mapStage.attachSymbolicator(message.mapThread, message.port);
      break;
    case "ping":
      send({ kind: "pong", id: message.id });
      break;
    case "seal":
      // If no answer comes, the caller tries again.
      void payloads.seal().then(
        () => send({ kind: "pong", id: message.id }),
        () => undefined,
      );
      break;
    case "close":
      loop.close();
      break;
  }
});

await loop.run();
await mapStage.close();
await payloads.close();
await state.close();
// Nothing else keeps the thread alive: it ends by itself.
data.eventPort.close();
port.close();
