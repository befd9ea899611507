import { describe, expect, test } from "vitest";
import { createKeyRateLimiter } from "./key-rate-limiter.ts";

const KEY = { id: 1, rateLimit: { count: 3, windowSeconds: 60 } };

describe("createKeyRateLimiter", () => {
  test("lets the limit pass and not one more", () => {
    const limiter = createKeyRateLimiter();
    expect([1, 2, 3].map((at) => limiter.take(KEY, 1, at * 1000))).toEqual([0, 0, 0]);
    expect(limiter.take(KEY, 1, 4000)).toBe(57);
  });

  test("says how long until the window ends, and starts a new one then", () => {
    const limiter = createKeyRateLimiter();
    for (let at = 0; at < 3; at++) limiter.take(KEY, 1, 0);
    expect(limiter.take(KEY, 1, 59_001)).toBe(1);
    expect(limiter.take(KEY, 1, 59_999)).toBe(1);
    expect(limiter.take(KEY, 1, 60_000)).toBe(0);
  });

  test("counts each key for itself", () => {
    const limiter = createKeyRateLimiter();
    for (let at = 0; at < 3; at++) limiter.take(KEY, 1, 0);
    expect(limiter.take({ ...KEY, id: 2 }, 1, 0)).toBe(0);
  });

  test("lets a container pass as a whole while there is room, and counts all of it", () => {
    const limiter = createKeyRateLimiter();
    expect(limiter.take(KEY, 100, 0)).toBe(0);
    expect(limiter.take(KEY, 1, 0)).toBe(60);
  });

  test("never limits a key without a limit, and follows a limit that changes", () => {
    const limiter = createKeyRateLimiter();
    for (let at = 0; at < 3; at++) limiter.take(KEY, 1, 0);
    expect(limiter.take({ id: 1, rateLimit: { count: 5, windowSeconds: 60 } }, 1, 1)).toBe(0);
    expect(limiter.take({ id: 1, rateLimit: null }, 1, 1)).toBe(0);
    expect(limiter.take(KEY, 1, 1)).toBe(0);
  });

  test("is not thrown by a clock that is set back", () => {
    const limiter = createKeyRateLimiter();
    for (let at = 0; at < 3; at++) limiter.take(KEY, 1, 1_000_000_000);
    expect(limiter.take(KEY, 1, 0)).toBe(0);
  });

  test("a limit of zero lets nothing pass", () => {
    expect(createKeyRateLimiter().take({ id: 1, rateLimit: { count: 0, windowSeconds: 60 } }, 1, 0)).toBe(60);
  });
});
