import { describe, expect, test } from "vitest";
import { createPendingEvents } from "./pending-events.ts";

describe("pending events", () => {
  test("are pending from their receipt until their record is applied", () => {
    const pending = createPendingEvents();
    pending.add("a", 0, 7);
    pending.add("b", 1, 7);
    expect(pending.findProject("a")).toBe(7);
    pending.advance(1);
    expect(pending.findProject("a")).toBeNull();
    expect(pending.findProject("b")).toBe(7);
    expect(pending.findProject("c")).toBeNull();
  });

  test("one that is told after it was applied is not pending", () => {
    const pending = createPendingEvents();
    pending.advance(5);
    pending.add("a", 4, 7);
    expect(pending.findProject("a")).toBeNull();
    expect(pending.size).toBe(0);
  });

  test("memory is bounded: the oldest are forgotten first", () => {
    const pending = createPendingEvents();
    for (let sequence = 0; sequence < 200_001; sequence++) pending.add(`event ${sequence}`, sequence, 7);
    expect(pending.size).toBe(200_000);
    expect(pending.findProject("event 0")).toBeNull();
    expect(pending.findProject("event 200000")).toBe(7);
  });
});
