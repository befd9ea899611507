import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MainThreadLoad } from "./main-thread-load.ts";

test.runIf(process.platform === "linux")(
  "a thread that works without a pause is busy, one that sleeps is not",
  async () => {
    const load = new MainThreadLoad();
    expect(load.busyShare).toBe(0);
    const until = performance.now() + 600;
    while (performance.now() < until);
    const working = load.busyShare;
    // A core that others use makes no difference: waiting for one counts.
    expect(working).toBeGreaterThan(0.9);
    // One that wakes up late on a busy machine has waited for a core, and sleeps again.
    await expect.poll(() => load.busyShare, { interval: 300 }).toBeLessThan(working / 2);
    load.close();
  },
);

test("where nobody knows, the thread counts as idle", async () => {
  const load = new MainThreadLoad("/proc/self/task/0/schedstat");
  await sleep(30);
  expect(load.busyShare).toBe(0);
  load.close();
});
