import { parentPort, workerData } from "node:worker_threads";
import { CurrentRules } from "../grouping/rules/project-rules.ts";
import { SymbolicatorClient } from "../symbolicate/symbolicator-client.ts";
import type { DigestStoresModule } from "./digest-thread.ts";
import { EventMapper } from "./event-mapper.ts";
import type { FromMapThread, MapTask, MapThreadData, ToMapThread } from "./map-protocol.ts";
import { type MapStage, mapOnThisThread } from "./map-stage.ts";
import { packBatch, splitBytes } from "./mapped-batch.ts";
import { RuleBook } from "./rules/rule-book.ts";

// The entry of a map thread, which `map-threads.ts` starts. It has the priority of the digest thread, its parent.

if (parentPort === null) throw new Error("map-worker.ts is the entry of a thread");
const port = parentPort;
const data: MapThreadData = workerData;

function send(message: FromMapThread, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

const symbolicator = new SymbolicatorClient({
  onFailure: (message) =>
    send({ kind: "log", level: "error", facts: { message }, message: "an event could not be mapped" }),
});

async function openStage(): Promise<MapStage> {
  const { openMapStores }: DigestStoresModule = await import(data.storesModule);
  const { artifacts, groupingRules, ruleIndex } = await openMapStores(data.storesOptions);
  const mapper = data.hasSymbolicator ? new EventMapper({ symbolicator, artifacts }) : undefined;
  const rules = { rules: new CurrentRules(groupingRules), ruleBook: new RuleBook(ruleIndex) };
  return mapOnThisThread(mapper, data.groupingMoves, rules);
}

// Started before this thread handles its first message, so that no message is missed.
const stage = openStage();

/** Set while a part is sent that is not the last: tells the batch whether the next part is wanted. */
let answerPart: (goesOn: boolean) => void = () => {};

async function map({ sequences, bytes, lengths, appliedSequence }: MapTask): Promise<void> {
  const records = [...splitBytes(bytes, lengths)].map((record, at) => ({
    sequence: sequences[at] as number,
    bytes: record,
  }));
  try {
    let left = records.length;
    for await (const { mapped, recordCount, recycle } of (await stage).map(records, { appliedSequence })) {
      // Its payloads are copied.
      const { packed, transfer } = packBatch(mapped);
      recycle?.();
      left -= recordCount;
      const asked = new Promise<boolean>((resolve) => {
        answerPart = resolve;
      });
      send({ kind: "mapped", batch: packed, recordCount }, transfer);
      if (left === 0 || !(await asked)) return;
    }
  } catch (error) {
    send({ kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

port.on("message", (message: ToMapThread) => {
  if (message.kind === "map") void map(message);
  else if (message.kind === "symbolicator") symbolicator.attach(message.port);
  else answerPart(message.kind === "next");
});
