import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

test.runIf(process.platform === "linux").each([
  { options: {}, expected: (before: number) => Math.min(19, before + 5) },
  { options: { entirely: true }, expected: () => 19 },
])("only the thread that calls it stands back: $options", async ({ options, expected }) => {
  const module = new URL("./yield-processor.ts", import.meta.url).href;
  const worker = new Worker(
    `import { parentPort } from "node:worker_threads";
     import { getPriority } from "node:os";
     import { readlinkSync } from "node:fs";
     const { yieldProcessor } = await import(${JSON.stringify(module)});
     const priority = () => getPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
     const before = priority();
     const isDone = yieldProcessor(${JSON.stringify(options)});
     parentPort.postMessage({ isDone, before, after: priority() });`,
    { eval: true },
  );
  const processBefore = getPriority();
  const answer = await new Promise<{ isDone: boolean; before: number; after: number }>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  expect(answer.isDone).toBe(true);
  expect(answer.after).toBe(expected(answer.before));
  expect(getPriority()).toBe(processBefore);
  await worker.terminate();
});
