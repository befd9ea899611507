import { expect, test } from "vitest";
import type { SentryEvent } from "../../app/domain/event.ts";
import { compareGrouping } from "../../app/features/grouping/compare-grouping.ts";
import { groupEvent } from "../../app/grouping/group-event.ts";

function event(functions: string[], { type = "TypeError", value = "no price" } = {}): SentryEvent {
  const frames = [
    { function: "dispatch", module: "react", in_app: false },
    ...functions.map((name) => ({ function: name, module: name.toLowerCase(), in_app: true })),
  ];
  return {
    event_id: "0".repeat(32),
    type: "error",
    timestamp: 1,
    received: 1,
    platform: "python",
    level: "error",
    exception: { values: [{ type, value, stacktrace: { frames } }] },
  };
}

const compare = (a: SentryEvent, b: SentryEvent) =>
  compareGrouping(
    { name: "SHOP-1", event: a, grouping: groupEvent(a).explanation },
    { name: "SHOP-2", event: b, grouping: groupEvent(b).explanation },
  );

test("another caller: the first frame that differs decides, and what did not count is said", () => {
  const { sentence, rows, hasSameKey } = compare(
    event(["Checkout", "Summary", "toTotal"]),
    event(["Header", "Badge", "toTotal"], { value: "no currency" }),
  );
  expect(hasSameKey).toBe(false);
  expect(sentence).toBe(
    "Called by another function. Both failed in toTotal in tototal, but a caller is part of the key: Summary in summary in SHOP-1, Badge in badge in SHOP-2.",
  );
  expect(rows.map(({ label, verdict, isDecisive }) => `${label} ${verdict}${isDecisive ? " !" : ""}`)).toEqual([
    "Grouped by same",
    "Type same",
    "Frame 1 same",
    "Frame 2 differs !",
    "Frame 3 differs",
    "Frame not-counted",
    "Value not-counted",
  ]);
});

test.each([
  [event(["a"]), event(["b"]), "They failed in different functions: a in a in SHOP-1, b in b in SHOP-2."],
  [
    event(["a"]),
    event(["a"], { type: "KeyError" }),
    "Their types are different: TypeError in SHOP-1, KeyError in SHOP-2.",
  ],
  [event(["c", "a"]), event(["a"]), "SHOP-1 has a further frame that counts: c in c."],
])("what decides is said first", (a, b, sentence) => {
  expect(compare(a, b).sentence).toBe(sentence);
});

test("one key is one key, whatever the words are", () => {
  const { hasSameKey, rows } = compare(event(["a"]), event(["a"], { value: "other" }));
  expect(hasSameKey).toBe(true);
  expect(rows.some(({ isDecisive }) => isDecisive)).toBe(false);
});
