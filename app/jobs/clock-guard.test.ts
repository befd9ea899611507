import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { createClockGuard } from "./clock-guard.ts";

test("a clock is not trusted for an hour after it was set, and is while it goes or is set right by steps", () => {
  let passed = 0;
  let offset = 1_000_000 * DAY_MS;
  const jumps: unknown[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (facts: object | string) => void jumps.push(facts),
    error: () => {},
    child: () => log,
  };
  const isDistrusted = createClockGuard({ now: () => passed + offset, monotonic: () => passed, log });
  const after = (ms: number, setBy = 0) => {
    passed += ms;
    offset += setBy;
    return isDistrusted();
  };
  expect(after(0)).toBe(false);
  expect(after(300 * DAY_MS)).toBe(false);
  expect(after(60_000, HOUR_MS)).toBe(false);
  expect(after(60_000, DAY_MS)).toBe(true);
  expect(after(HOUR_MS - 1)).toBe(true);
  expect(after(1)).toBe(false);
  expect(after(60_000, -DAY_MS)).toBe(true);
  expect(after(HOUR_MS)).toBe(false);
  expect(jumps).toEqual([{ jumpMs: DAY_MS }, { jumpMs: -DAY_MS }]);
});
