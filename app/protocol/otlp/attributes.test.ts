import { expect, test } from "vitest";
import { toAttributes } from "./attributes.ts";

test("a value that stands in the place of its AnyValue is taken", () => {
  const list = [
    { key: "tier", value: "gold\u0000" },
    { key: "tries", value: 3 },
    { key: "paid", value: true },
    { key: "sent", value: { stringValue: "well" } },
    { key: "none", value: null },
  ];
  expect(toAttributes(list)).toEqual({ tier: "gold", tries: 3, paid: true, sent: "well" });
});

test("objects become JSON, and objects inside them stay objects, however deep they are", () => {
  const nest = (depth: number): unknown =>
    depth === 0 ? { stringValue: '"' } : { kvlistValue: { values: [{ key: "a", value: nest(depth - 1) }] } };
  expect(toAttributes([{ key: "k", value: nest(2) }])).toEqual({ k: String.raw`{"a":{"a":"\""}}` });
  expect(String(toAttributes([{ key: "k", value: nest(24) }]).k)).toHaveLength(24 * 6 + 4);
});

test("a key named like the prototype is a key", () => {
  const attributes = toAttributes([{ key: "__proto__", value: { stringValue: "own" } }]);
  expect(Object.entries(attributes)).toEqual([["__proto__", "own"]]);
  expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
});
