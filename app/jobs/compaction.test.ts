import { expect, test } from "vitest";
import { createCompactionJob } from "./compaction.ts";

const { signal } = new AbortController();

function make({ records = 0, hasWork = true } = {}) {
  let calls = 0;
  const events = {
    settle: async () => {
      calls++;
      return hasWork;
    },
  };
  return { job: createCompactionJob({ events, backlog: () => ({ records }) }), calls: () => calls };
}

test("a step is work, and having none to do is not", async () => {
  expect(await make().job.run(signal)).toBe("worked");
  expect(await make({ hasWork: false }).job.run(signal)).toBe("idle");
});

test("leaves the store to the digest while over a thousand records wait", async () => {
  const busy = make({ records: 1_001 });
  expect(await busy.job.run(signal)).toBe("idle");
  expect(busy.calls()).toBe(0);
  const nearly = make({ records: 1_000 });
  await nearly.job.run(signal);
  expect(nearly.calls()).toBe(1);
});
