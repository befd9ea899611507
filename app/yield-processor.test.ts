import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

test.runIf(process.platform === "linux")("only the thread that calls it stands back, and what it starts", async () => {
  const module = new URL("./yield-processor.ts", import.meta.url).href;
  const worker = new Worker(
    `import { parentPort } from "node:worker_threads";
     import { getPriority } from "node:os";
     import { readlinkSync } from "node:fs";
     const { yieldProcessor } = await import(${JSON.stringify(module)});
     const priority = () => getPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
     const before = priority();
     const isDone = yieldProcessor();
     const { Worker } = await import("node:worker_threads");
     const child = new Worker(
       \`require("node:worker_threads").parentPort.postMessage(
         require("node:os").getPriority(Number(require("node:fs").readlinkSync("/proc/thread-self").split("/").at(-1))))\`,
       { eval: true });
     child.once("message", (ofChild) => parentPort.postMessage({ isDone, before, after: priority(), ofChild }));`,
    { eval: true },
  );
  const processBefore = getPriority();
  const answer = await new Promise<{ isDone: boolean; before: number; after: number; ofChild: number }>(
    (resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    },
  );
  expect(answer.isDone).toBe(true);
  expect(answer.after).toBe(Math.min(19, answer.before + 5));
  expect(answer.ofChild).toBe(answer.after);
  expect(getPriority()).toBe(processBefore);
  await worker.terminate();
});
