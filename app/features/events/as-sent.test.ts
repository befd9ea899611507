import { describe, expect, test } from "vitest";
import type { SentryEvent, Stacktrace } from "../../domain/event.ts";
import { hasMappedStacks, withStacksAsSent } from "./as-sent.ts";
import { toStackText } from "./stack-text.ts";

const base: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 1_735_787_045,
  received: 1_735_787_046,
  platform: "javascript",
  level: "error",
};
const sent: Stacktrace = { frames: [{ function: "e", filename: "app.js", lineno: 1, colno: 21 }] };
const mapped: Stacktrace = {
  frames: [{ function: "fail", filename: "src/fail.ts", lineno: 3, data: { symbolicated: true } }],
};

describe("stacks as they were sent", () => {
  const both = { stacktrace: mapped, raw_stacktrace: sent };
  const events: Record<string, SentryEvent> = {
    exception: { ...base, exception: { values: [{ type: "Error", ...both }] } },
    thread: { ...base, threads: { values: [{ id: 1, current: true, ...both }] } },
    "the event itself": { ...base, ...both },
  };
  for (const [name, event] of Object.entries(events)) {
    test(`of ${name}: they are what is shown and copied`, () => {
      expect(hasMappedStacks(event)).toBe(true);
      expect(toStackText(event)).toContain("at fail (src/fail.ts:3)");
      expect(toStackText(withStacksAsSent(event))).toContain("at e (app.js:1:21)");
      expect(toStackText(event)).toContain("at fail");
    });
  }

  test("a raw stack of the SDK's own is no choice of ours", () => {
    const event = { ...base, exception: { values: [{ stacktrace: sent, raw_stacktrace: mapped }] } };
    expect(hasMappedStacks(event)).toBe(false);
    expect(withStacksAsSent(event)).toEqual(event);
  });
});
