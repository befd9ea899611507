import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { HelperOnDemand, type HelperOnDemandOptions } from "./helper-on-demand.ts";
import { HelperThread } from "./helper-thread.ts";

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
let helpers: HelperOnDemand | null = null;

function create(options: Partial<HelperOnDemandOptions> = {}): HelperOnDemand {
  helpers = new HelperOnDemand({ log, cores: 2, limits: { startAtRecords: 100, useAtRecords: 10 }, ...options });
  return helpers;
}

afterEach(async () => {
  await helpers?.close();
});

test("there is one when much waits, and it is used while some waits", () => {
  const some = create();
  expect(some.forBatch(99)).toBeNull();
  const thread = some.forBatch(100);
  expect(thread).toBeInstanceOf(HelperThread);
  expect(some.forBatch(10)).toBe(thread);
  expect(some.forBatch(9)).toBeNull();
  expect(some.forBatch(10)).toBe(thread);
});

test("there is none on a machine with one core", () => {
  expect(create({ cores: 1 }).forBatch(1_000_000)).toBeNull();
});

test.each([
  { given: 48, back: 0, left: 0 },
  { given: 48, back: 48, left: 24 },
])("after a batch in which it was of no use, it is left alone for a while: %o", async (division) => {
  const some = create({ limits: { startAtRecords: 100, useAtRecords: 10, restMs: 50 } });
  const thread = some.forBatch(100);
  some.ended({ given: 48, back: 24, left: 11 });
  some.ended({ given: 0, back: 0, left: 0 });
  expect(some.forBatch(100)).toBe(thread);
  some.ended(division);
  expect(some.forBatch(100)).toBeNull();
  await expect.poll(() => some.forBatch(100)).toBe(thread);
});

test("it ends when it is not used, and another begins when much waits again", async () => {
  const some = create({ limits: { startAtRecords: 100, useAtRecords: 10, idleMs: 20 } });
  const thread = some.forBatch(100);
  await sleep(60);
  expect(some.forBatch(10)).toBeNull();
  const another = some.forBatch(100);
  expect(another).not.toBeNull();
  expect(another).not.toBe(thread);
});

test("after it died there is none for a while, and none after closing", async () => {
  const some = create({ limits: { startAtRecords: 100, useAtRecords: 10, retryMs: 50 } });
  const thread = some.forBatch(100) as HelperThread;
  await thread.close();
  expect(some.forBatch(100)).toBeNull();
  await expect.poll(() => some.forBatch(100)).not.toBeNull();
  await some.close();
  expect(some.forBatch(100)).toBeNull();
});
