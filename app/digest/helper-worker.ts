import { workerData } from "node:worker_threads";
import { digestRecord, emptyDigested } from "./digest-records.ts";
import type { Digested } from "./digested.ts";
import type { HelperAnswer, HelperTask, HelperThreadData } from "./helper-protocol.ts";
import { packDigested, splitBytes } from "./packed-digested.ts";
import { yieldProcessor } from "./yield-processor.ts";

// The entry of a helper thread, which `helper-thread.ts` starts: from records to facts, and nothing else.

const { port }: HelperThreadData = workerData;
// It is for cores that nobody wants: senders and people come first, and the digest thread has to end its batches.
yieldProcessor({ entirely: true });

port.on("message", (task: HelperTask) => {
  const answer = digest(task);
  port.postMessage(answer, [answer.digested.bytes.buffer]);
});

function digest({ id, sequences, bytes, lengths, projectsWithoutUploads }: HelperTask): HelperAnswer {
  const withoutUploads = projectsWithoutUploads && new Set(projectsWithoutUploads);
  const hasUploads = withoutUploads ? (projectId: number) => !withoutUploads.has(projectId) : undefined;
  const digested = emptyDigested();
  const left: number[] = [];
  let at = 0;
  for (const record of splitBytes(bytes, lengths)) {
    const sequence = sequences[at++] as number;
    const before = lengthsOf(digested);
    digestRecord({ sequence, bytes: record }, digested, hasUploads);
    if (digested.unmapped.length === 0) continue;
    cutTo(digested, before);
    left.push(sequence);
  }
  return { id, digested: packDigested(digested), left };
}

type Lengths = Record<keyof Digested, number>;

function lengthsOf({ events, items, outcomes, setAside, unmapped }: Digested): Lengths {
  return {
    events: events.length,
    items: items.length,
    outcomes: outcomes.length,
    setAside: setAside.length,
    unmapped: unmapped.length,
  };
}

function cutTo(digested: Digested, lengths: Lengths): void {
  digested.events.length = lengths.events;
  digested.items.length = lengths.items;
  digested.outcomes.length = lengths.outcomes;
  digested.setAside.length = lengths.setAside;
  digested.unmapped.length = lengths.unmapped;
}
