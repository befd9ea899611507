import { describe, expect, test } from "vitest";
import type { Frame, SentryEvent } from "../../domain/event.ts";
import { toFindingFingerprint } from "../../domain/findings/finding.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import { explainGrouping } from "./explain-grouping.ts";

const base: GroupingExplanation = {
  version: "culprit:1",
  basis: "exception-stack",
  variant: "app",
  hash: "a".repeat(32),
  contributions: [],
  omissions: [],
};

const event = eventWith([
  { function: "dispatch", filename: "/assets/vendor.js", in_app: false },
  { function: "?", filename: "/assets/cart.js", in_app: true },
  { function: "onClick", filename: "/assets/cart.js", in_app: true },
  { function: "forEach", filename: "[native code]", in_app: true },
  { function: "checkout", filename: "/assets/cart.js", in_app: true },
]);

const byFrames: GroupingExplanation = {
  ...base,
  contributions: [
    { kind: "exception-type", exception: 0, value: "TypeError" },
    { kind: "frame", exception: 0, frame: 2, function: "onClick" },
    { kind: "frame", exception: 0, frame: 4, function: "checkout" },
  ],
  omissions: [{ kind: "frame", exception: 0, frame: 3, reason: "native-code" }],
};

describe("why an event is in its issue", () => {
  test("says type and frames, the innermost first, and that libraries did not count", () => {
    expect(explainGrouping(byFrames, event).sentence).toBe(
      "Grouped by the exception type TypeError and 2 in-app frames: checkout in cart.js and onClick in cart.js; 1 frame of libraries did not count.",
    );
  });

  test("lists what formed the key, each with its place in the event", () => {
    expect(explainGrouping(byFrames, event).parts).toEqual([
      { label: "Exception type", text: "TypeError", place: { exception: 0, frame: null } },
      { label: "Frame", text: "onClick in cart.js", place: { exception: 0, frame: 2 } },
      { label: "Frame", text: "checkout in cart.js", place: { exception: 0, frame: 4 } },
    ]);
  });

  test("lists what did not count, also what was not stored because the event tells", () => {
    expect(explainGrouping(byFrames, event).leftOut).toEqual([
      {
        reason: "native-code",
        count: 1,
        sentence: "1 frame of the engine's own functions did not count: not every browser lists them.",
      },
      { reason: "not-in-app", count: 1, sentence: "1 frame of libraries did not count." },
      { reason: "nameless", count: 1, sentence: "1 frame without a name did not count." },
    ]);
  });

  test("without the event, says what the key alone tells", () => {
    expect(explainGrouping(byFrames, null).sentence).toBe(
      "Grouped by the exception type TypeError and 2 in-app frames: checkout and onClick.",
    );
  });

  test("names three frames of many, and counts the rest", () => {
    const many: GroupingExplanation = {
      ...base,
      variant: "system",
      contributions: ["a", "b", "c", "d", "e"].map((name, frame) => ({
        kind: "frame",
        exception: 0,
        frame,
        function: name,
        module: "lib",
      })),
    };
    expect(explainGrouping(many, null).sentence).toBe(
      "Grouped by 5 frames, none of them in the app: e in lib, d in lib, c in lib and 2 more.",
    );
  });

  test("a run that was left out counts as many as it is", () => {
    const recursive: GroupingExplanation = {
      ...byFrames,
      omissions: [{ kind: "frame", exception: 0, frame: 5, to: 9, reason: "recursion" }],
    };
    expect(explainGrouping(recursive, null).leftOut).toEqual([
      { reason: "recursion", count: 5, sentence: "5 repeated calls of a function did not count." },
    ]);
  });

  test.each<[string, Partial<GroupingExplanation>, string]>([
    [
      "a value",
      {
        basis: "exception-value",
        contributions: [
          { kind: "exception-type", exception: 0, value: "KeyError" },
          { kind: "exception-value", exception: 0, value: "no <int>" },
        ],
      },
      "Grouped by the exception type KeyError and the value “no <int>”, because no frame could count.",
    ],
    [
      "a chain",
      {
        basis: "exception-value",
        contributions: [
          { kind: "exception-type", exception: 0, value: "KeyError" },
          { kind: "exception-type", exception: 1, value: "SaveError" },
        ],
      },
      "Grouped by the exception types SaveError and KeyError.",
    ],
    [
      "a message",
      { basis: "message", contributions: [{ kind: "message", value: "disk full" }] },
      "Grouped by the words of the message: “disk full”.",
    ],
    [
      "a message with parameters",
      { basis: "message", contributions: [{ kind: "message", value: "order <int> failed" }] },
      "Grouped by the words of the message, with numbers, ids and the like taken out: “order <int> failed”.",
    ],
    [
      "a fingerprint",
      {
        basis: "fingerprint",
        contributions: [
          { kind: "fingerprint", template: "db", value: "db" },
          { kind: "fingerprint", template: "{{ level }}", value: "error" },
        ],
      },
      "Grouped by the fingerprint that the application set: “db” and “error” ({{ level }}).",
    ],
    [
      "a fingerprint with the default",
      {
        basis: "fingerprint-and-default",
        contributions: [
          { kind: "fingerprint", template: "eu", value: "eu" },
          { kind: "message", value: "disk full" },
        ],
      },
      "Grouped by the fingerprint that the application set (“eu”), together with the words of the message: “disk full”.",
    ],
    [
      "a checksum",
      { basis: "checksum", contributions: [{ kind: "detail", name: "checksum", value: "b7" }] },
      "Grouped by the checksum that the application sent: b7.",
    ],
    [
      "a policy",
      {
        basis: "csp",
        contributions: [
          { kind: "detail", name: "directive", value: "img-src" },
          { kind: "detail", name: "blocked", value: "cdn.example" },
        ],
      },
      "Grouped by the directive img-src that was violated, and what was blocked: cdn.example.",
    ],
    [
      "a report",
      {
        basis: "security-report",
        contributions: [
          { kind: "detail", name: "report", value: "expectct" },
          { kind: "detail", name: "host", value: "shop.example" },
        ],
      },
      "Grouped by the kind of report, expectct, and its host shop.example.",
    ],
    [
      "a template",
      {
        basis: "template",
        contributions: [
          { kind: "detail", name: "template", value: "a.html" },
          { kind: "detail", name: "line", value: "{% x %}" },
        ],
      },
      "Grouped by the template a.html and its line “{% x %}”.",
    ],
    [
      "nothing",
      { basis: "fallback" },
      "The event holds nothing that could tell it from others: all such events are one issue.",
    ],
  ])("by %s", (_basis, explanation, sentence) => {
    expect(explainGrouping({ ...base, variant: null, ...explanation }, null).sentence).toBe(sentence);
  });

  test("what Culprit found out itself has a fingerprint that no application set", () => {
    const [template, subject] = toFindingFingerprint("cron 2 production") as [string, string];
    const explanation: GroupingExplanation = {
      ...base,
      basis: "fingerprint",
      contributions: [template, subject].map((value) => ({ kind: "fingerprint", template: value, value })),
    };
    const found = { ...eventWith([]), fingerprint: [template, subject] };
    expect(explainGrouping(explanation, found).sentence).toBe(
      "Everything that Culprit itself finds out about “cron 2 production” is one issue.",
    );
  });

  test("an explanation whose frames the event no longer has is still said", () => {
    expect(explainGrouping(byFrames, eventWith([])).sentence).toContain("checkout and onClick");
  });
});

function eventWith(frames: Frame[]): SentryEvent {
  const exception = { type: "TypeError", value: "x", ...(frames.length > 0 ? { stacktrace: { frames } } : {}) };
  return {
    event_id: "0".repeat(32),
    type: "error",
    timestamp: 1,
    received: 1,
    platform: "javascript",
    level: "error",
    exception: { values: [exception] },
  };
}
