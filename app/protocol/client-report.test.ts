import { describe, expect, test } from "vitest";
import { parseClientReport } from "./client-report.ts";

describe("parseClientReport", () => {
  test("reads what an SDK lost", () => {
    const report = {
      timestamp: 1735787045.1,
      discarded_events: [
        { reason: "ratelimit_backoff", category: "error", quantity: 3 },
        { reason: "sample_rate", category: "transaction", quantity: 1 },
      ],
    };
    expect(parseClientReport(report)).toEqual([
      { outcome: "client_discard", category: "error", reason: "ratelimit_backoff", quantity: 3 },
      { outcome: "client_discard", category: "transaction", reason: "sample_rate", quantity: 1 },
    ]);
  });

  test("keeps the lists that proxies add apart", () => {
    const entry = { reason: "r", category: "error", quantity: 1 };
    const report = { rate_limited_events: [entry], filtered_events: [entry], filtered_sampling_events: [entry] };
    expect(parseClientReport(report)).toEqual([
      { outcome: "rate_limited", category: "error", reason: "r", quantity: 1 },
      { outcome: "filtered", category: "error", reason: "r", quantity: 2 },
    ]);
  });

  test("adds up entries that say the same", () => {
    const entry = { reason: "r", category: "c", quantity: 2 };
    expect(parseClientReport({ discarded_events: [entry, entry] })).toEqual([
      { outcome: "client_discard", category: "c", reason: "r", quantity: 4 },
    ]);
  });

  test("leaves out entries it cannot read", () => {
    const discarded_events = [
      null,
      7,
      {},
      { quantity: 0 },
      { quantity: -1 },
      { quantity: Number.NaN },
      { quantity: "x" },
    ];
    expect(parseClientReport({ discarded_events })).toEqual([]);
    expect(parseClientReport({ discarded_events: { 0: "no list" } })).toEqual([]);
  });

  test("mends what is nearly right", () => {
    const long = "x".repeat(100);
    expect(parseClientReport({ discarded_events: [{ reason: long, category: " ", quantity: "2.9" }] })).toEqual([
      { outcome: "client_discard", category: "unknown", reason: "x".repeat(64), quantity: 2 },
    ]);
  });

  test("reads 500 entries and ignores the 501st", () => {
    const discarded_events = Array.from({ length: 501 }, (_, at) => ({
      reason: `r${at}`,
      category: "error",
      quantity: 1,
    }));
    expect(parseClientReport({ discarded_events })).toHaveLength(500);
  });

  test("does not let one report count more than 10^9", () => {
    const huge = { reason: "r", category: "c", quantity: Number.MAX_VALUE };
    expect(parseClientReport({ discarded_events: [huge, huge] })[0]?.quantity).toBe(1e9);
  });

  test("cuts words that are too long, and never to half a character", () => {
    const report = parseClientReport({
      discarded_events: [{ reason: `${"r".repeat(63)}😀`, category: "c".repeat(70), quantity: 1 }],
    });
    expect(report).toEqual([
      { outcome: "client_discard", category: "c".repeat(64), reason: `${"r".repeat(63)}\ufffd`, quantity: 1 },
    ]);
  });

  test("keeps sums of hostile names apart from the language's own", () => {
    const report = parseClientReport({
      discarded_events: [{ reason: "__proto__", category: "constructor", quantity: 1 }],
    });
    expect(report).toEqual([{ outcome: "client_discard", category: "constructor", reason: "__proto__", quantity: 1 }]);
  });

  test("gives nothing for anything but an object", () => {
    for (const value of [null, undefined, [], "text", 1]) expect(parseClientReport(value)).toEqual([]);
  });
});
