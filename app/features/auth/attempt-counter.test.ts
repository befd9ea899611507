import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { AttemptCounter, MAX_KEYS } from "./attempt-counter.ts";

const LIMIT = { maxAttempts: 3, windowMs: 60_000 };

function record(counter: AttemptCounter, text: string, times: number, now = 0): void {
  for (let time = 0; time < times; time++) counter.record(text, now);
}

test("the last attempt of a window is allowed, and the next one waits for the window's end", () => {
  const counter = new AttemptCounter(LIMIT);
  record(counter, "a", 2, 1_000);
  expect(counter.retryAfterSeconds("a", 1_000)).toBe(0);
  record(counter, "a", 1, 20_000);
  expect(counter.retryAfterSeconds("a", 20_000)).toBe(41);
  expect(counter.retryAfterSeconds("a", 60_999)).toBe(1);
  expect(counter.retryAfterSeconds("a", 61_000)).toBe(0);
  expect(counter.retryAfterSeconds("b", 20_000)).toBe(0);
});

test("an attempt that is taken back leaves room for another", () => {
  const counter = new AttemptCounter(LIMIT);
  record(counter, "a", 3);
  counter.refund("a");
  expect(counter.retryAfterSeconds("a", 0)).toBe(0);
  counter.refund("a");
  counter.refund("a");
  expect(counter.size).toBe(0);
  counter.refund("a");
  expect(counter.size).toBe(0);
});

test("windows that are over are forgotten, without anybody asking for them", () => {
  const counter = new AttemptCounter(LIMIT);
  for (let index = 0; index < 100; index++) counter.record(`early ${index}`, 0);
  for (let index = 0; index < 100; index++) counter.record(`late ${index}`, 30_000);
  counter.record("one more", 60_000);
  expect(counter.size).toBe(101);
  counter.retryAfterSeconds("somebody else", 90_000);
  expect(counter.size).toBe(1);
});

test("the number of keys is bounded, and the oldest is forgotten first", () => {
  const counter = new AttemptCounter(LIMIT);
  record(counter, "oldest", 3);
  record(counter, "second", 3);
  for (let index = 2; index < MAX_KEYS; index++) counter.record(String(index), 1);
  expect(counter.retryAfterSeconds("oldest", 1)).toBeGreaterThan(0);
  counter.record("one too many", 1);
  expect(counter.size).toBe(MAX_KEYS);
  expect(counter.retryAfterSeconds("oldest", 1)).toBe(0);
  expect(counter.retryAfterSeconds("second", 1)).toBeGreaterThan(0);
});

test("a hundred keys of a megabyte take less memory than one of them", () => {
  const counter = new AttemptCounter(LIMIT);
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  counter.record("warm", 0);
  collect();
  const before = process.memoryUsage().heapUsed;
  const megabyte = "x".repeat(1_000_000);
  for (let index = 0; index < 100; index++) counter.record(`${megabyte}${index}`, 0);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_000_000 + megabyte.length);
  expect(counter.size).toBe(101);
});
