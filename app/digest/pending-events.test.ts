import { describe, expect, test } from "vitest";
import { createPendingEvents } from "./pending-events.ts";

describe("pending events", () => {
  test("are pending from their receipt until their record is applied", () => {
    const pending = createPendingEvents();
    pending.add("a", 0);
    pending.add("b", 1);
    expect(pending.has("a")).toBe(true);
    pending.advance(1);
    expect(pending.has("a")).toBe(false);
    expect(pending.has("b")).toBe(true);
    expect(pending.has("c")).toBe(false);
  });

  test("one that is told after it was applied is not pending", () => {
    const pending = createPendingEvents();
    pending.advance(5);
    pending.add("a", 4);
    expect(pending.has("a")).toBe(false);
    expect(pending.size).toBe(0);
  });

  test("memory is bounded: the oldest are forgotten first", () => {
    const pending = createPendingEvents();
    for (let sequence = 0; sequence < 200_001; sequence++) pending.add(`event ${sequence}`, sequence);
    expect(pending.size).toBe(200_000);
    expect(pending.has("event 0")).toBe(false);
    expect(pending.has("event 200000")).toBe(true);
  });
});
