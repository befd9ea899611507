import { describe, expect, test } from "vitest";
import { MIB } from "../domain/bytes.ts";
import type { EnvelopeItem } from "../protocol/parse-envelope.ts";
import type { RateLimit } from "../protocol/rate-limits.ts";
import { admitItems } from "./admit-items.ts";

const freely = () => null;
const limit = (seconds: number): RateLimit => ({ seconds, categories: [], scope: "key", reasonCode: "key_quota" });

function item(type: string, bytes = 2, more: Record<string, unknown> = {}): EnvelopeItem {
  return { header: { type, ...more }, payload: new Uint8Array(bytes), start: 0, end: 0, isLengthWrong: false };
}

function kinds(items: readonly EnvelopeItem[]): string[] {
  return items.map((one) => one.header.type);
}

describe("sizes", () => {
  test.each([
    ["event", 1 * MIB, "error", "event_bytes"],
    ["transaction", 1 * MIB, "transaction", "event_bytes"],
    ["feedback", 1 * MIB, "feedback", "feedback_bytes"],
    ["client_report", 100 * 1024, "internal", "client_report_bytes"],
    ["check_in", 100 * 1024, "monitor", "check_in_bytes"],
    ["log", 12 * MIB, "log_item", "log_bytes"],
    ["session", 10 * MIB, "session", "session_bytes"],
    ["replay_recording", 10 * MIB, "replay", "replay_recording_bytes"],
    ["profile", 50 * MIB, "profile", "profile_bytes"],
  ])("%s of %i bytes passes, and one byte more does not", (type, maxBytes, category, reason) => {
    expect(admitItems([item(type, maxBytes)], freely)).toMatchObject({ kept: [{}], dropped: [] });
    expect(admitItems([item(type, maxBytes + 1)], freely)).toMatchObject({
      kept: [],
      dropped: [{ category, outcome: "too_large", reason, quantity: 1 }],
    });
  });

  test("an event that is too large is named, other items are only dropped", () => {
    expect(admitItems([item("event", MIB + 1), item("session")], freely)).toMatchObject({
      oversizeEvent: `the event is larger than ${MIB} bytes`,
      kept: [{ header: { type: "session" } }],
    });
    const { oversizeEvent, kept } = admitItems([item("event"), item("check_in", MIB)], freely);
    expect(oversizeEvent).toBeNull();
    expect(kinds(kept)).toEqual(["event"]);
  });

  test("items of a group share its total", () => {
    const half = item("session", 5 * MIB);
    expect(admitItems([half, half], freely).kept).toHaveLength(2);
    expect(admitItems([half, half, item("sessions", 1)], freely)).toMatchObject({
      dropped: [{ category: "session", outcome: "too_large", reason: "session_total_bytes", quantity: 1 }],
    });
  });
});

describe("numbers", () => {
  test.each([
    ["attachment", 30, "attachment", "attachment_count"],
    ["client_report", 100, "internal", "client_report_count"],
    ["session", 100, "session", "session_count"],
    ["span", 25, "span", "span_count"],
    ["check_in", 1, "monitor", "check_in_count"],
    ["log", 1, "log_item", "log_count"],
  ])("%s: %i pass, and one more does not", (type, maxCount, category, reason) => {
    const items = Array.from({ length: maxCount }, () => item(type));
    expect(admitItems(items, freely).dropped).toEqual([]);
    const { kept, dropped } = admitItems([...items, item(type)], freely);
    expect(kept).toHaveLength(maxCount);
    expect(dropped).toEqual([{ category, outcome: "too_large", reason, quantity: 1 }]);
  });

  test("a second event is malformed, whatever kind it is of", () => {
    const { kept, dropped } = admitItems([item("transaction"), item("event"), item("raw_security")], freely);
    expect(kinds(kept)).toEqual(["transaction"]);
    expect(dropped).toEqual([
      { category: "error", outcome: "malformed", reason: "second_event", quantity: 1 },
      { category: "security", outcome: "malformed", reason: "second_event", quantity: 1 },
    ]);
  });

  test("an event that is too large leaves no room for a second", () => {
    expect(admitItems([item("event", MIB + 1), item("event")], freely).kept).toEqual([]);
  });

  test("containers count as what they hold", () => {
    const { dropped } = admitItems([item("log"), item("log", 1600, { item_count: 80 })], freely);
    expect(dropped).toEqual([{ category: "log_item", outcome: "too_large", reason: "log_count", quantity: 80 }]);
  });
});

describe("items that belong together", () => {
  test("attachments and profiles share the fate of their event, also when they stand before it", () => {
    const { kept, dropped } = admitItems(
      [item("attachment"), item("event", MIB + 1), item("profile"), item("session")],
      freely,
    );
    expect(kinds(kept)).toEqual(["session"]);
    expect(dropped).toEqual([
      { category: "error", outcome: "too_large", reason: "event_bytes", quantity: 1 },
      { category: "attachment", outcome: "too_large", reason: "event_bytes", quantity: 1 },
      { category: "profile", outcome: "too_large", reason: "event_bytes", quantity: 1 },
    ]);
  });

  test("attachments without an event in the envelope pass", () => {
    expect(admitItems([item("attachment"), item("attachment")], freely).kept).toHaveLength(2);
  });

  test("the halves of a replay segment go together", () => {
    const { kept } = admitItems([item("replay_event"), item("replay_recording", 10 * MIB + 1)], freely);
    expect(kept).toEqual([]);
  });
});

describe("the key's quota", () => {
  test("drops what it does not let pass, and says for how long", () => {
    let left = 1;
    const quota = () => (left-- > 0 ? null : limit(42));
    const admission = admitItems([item("session"), item("event"), item("attachment"), item("client_report")], quota);
    // The event is asked for first.
    expect(kinds(admission.kept)).toEqual(["event", "client_report"]);
    expect(admission.limits).toEqual([limit(42)]);
    expect(admission.dropped).toEqual([
      { category: "session", outcome: "rate_limited", reason: "key_quota", quantity: 1 },
      { category: "attachment", outcome: "rate_limited", reason: "key_quota", quantity: 1 },
    ]);
  });

  test("always lets client reports pass", () => {
    expect(admitItems([item("client_report")], () => limit(60))).toMatchObject({ kept: [{}], limits: [] });
  });

  test("is not asked for what is dropped anyway", () => {
    const asked: number[] = [];
    admitItems([item("event", MIB + 1), item("attachment"), item("log", 1600, { item_count: 7 })], (_, { items }) => {
      asked.push(items);
      return null;
    });
    expect(asked).toEqual([7]);
  });
});

test("an envelope that loses nothing keeps its own list", () => {
  const items = [item("event"), item("from-the-future")];
  expect(admitItems(items, freely).kept).toBe(items);
});
