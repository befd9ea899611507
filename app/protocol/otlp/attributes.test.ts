import { expect, test } from "vitest";
import { toAttributes } from "./attributes.ts";

test("a text, bytes, and a value that stands in the place of its AnyValue are taken", () => {
  const list = [
    { key: "tier", value: "gold\u0000" },
    { key: "tries", value: 3 },
    { key: "paid", value: true },
    { key: "sent", value: { stringValue: "well" } },
    { key: "bytes", value: { bytesValue: "AQI=" } },
    { key: "none", value: null },
  ];
  const texts = { tier: "gold", sent: "well", bytes: "AQI=" };
  expect(toAttributes(list)).toEqual({ ...texts, tries: 3, paid: true, none: null });
});

test("an empty value is null wherever it stands, and a key that is left out is empty", () => {
  const inside = { kvlistValue: { values: [{ key: "a" }, { key: "b", value: {} }, { value: { boolValue: false } }] } };
  const list = [
    { key: "left out" },
    { key: "empty", value: {} },
    { key: "unset", value: { stringValue: null } },
    { key: "list", value: { arrayValue: { values: [{}, null, { arrayValue: {} }] } } },
    { key: "object", value: inside },
    { value: { intValue: "7" } },
  ];
  expect(toAttributes(list)).toEqual({
    "left out": null,
    empty: null,
    unset: null,
    list: [null, null, []],
    object: '{"a":null,"b":null,"":false}',
    "": 7,
  });
});

test("a kind of value that OTLP does not have yet stays as it came", () => {
  expect(toAttributes([{ key: "due", value: { dateValue: { day: 5 } } }])).toEqual({ due: '{"dateValue":{"day":5}}' });
});

test("numbers may be texts, and those that no double holds stay texts", () => {
  const list = [
    { key: "ratio", value: { doubleValue: "1.5" } },
    { key: "none", value: { doubleValue: "NaN" } },
    { key: "large", value: { intValue: "9007199254740993" } },
  ];
  expect(toAttributes(list)).toEqual({ ratio: 1.5, none: "NaN", large: "9007199254740993" });
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
