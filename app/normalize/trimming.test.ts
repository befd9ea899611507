import { describe, expect, test } from "vitest";
import { toJsonText } from "./json-text.ts";
import { MetaRecorder } from "./meta.ts";
import { toTrimmedObject, trimString, trimTree } from "./trimming.ts";

describe("text", () => {
  test("of the limit passes, one longer is cut with dots", () => {
    expect(trimString("x".repeat(10), 10)).toBe("x".repeat(10));
    expect(trimString("x".repeat(11), 10)).toBe(`${"x".repeat(7)}...`);
  });

  test("is not cut inside a surrogate pair", () => {
    expect(trimString(`${"x".repeat(6)}😀xxxx`, 10)).toBe(`${"x".repeat(6)}...`);
  });
});

describe("trees", () => {
  const limit = { maxDepth: 3, maxSize: 200 };
  const trim = (value: unknown) => {
    const meta = new MetaRecorder();
    return { value: trimTree(value, limit, meta, "field"), meta: meta.toTree() };
  };

  test("that fit stay the very same objects", () => {
    const value = { a: [1, { b: "x" }], c: null, d: true };
    const trimmed = trim(value);
    expect(trimmed.value).toBe(value);
    expect(trimmed).toEqual({ value: { a: [1, { b: "x" }], c: null, d: true }, meta: undefined });
  });

  test("become text below their depth, except empty objects", () => {
    expect(trim({ a: { b: { c: { d: 1 }, e: {}, f: [] } } })).toEqual({
      value: { a: { b: { c: '{"d":1}', e: {}, f: [] } } },
      meta: { field: { a: { b: { c: { "": { rem: [["!limit", "s", 0, 7]] } } } } } },
    });
  });

  test("lose their last keys beyond their size, and say so", () => {
    const { value, meta } = trim({ a: "x".repeat(100), b: "y".repeat(300), c: "z" });
    expect(value).toEqual({ a: "x".repeat(100), b: `${"y".repeat(81)}...` });
    expect(meta).toEqual({
      field: { "": { rem: [["!limit", "x"]] }, b: { "": { len: 300, rem: [["!limit", "s", 81, 84]] } } },
    });
  });

  test("lose the last items of lists beyond their size", () => {
    const { value } = trim(Array.from({ length: 1_000 }, (_, index) => index));
    expect(Array.isArray(value) && value.length).toBeLessThan(50);
  });

  test("that are cut once are not cut again", () => {
    const once = trim({ a: "x".repeat(100), b: { c: { d: { e: 1 } } }, f: "y".repeat(300) }).value;
    const before = JSON.stringify(once);
    expect(trim(once).meta).toBeUndefined();
    expect(JSON.stringify(once)).toBe(before);
  });

  test("are wrapped where an object must stand", () => {
    const meta = new MetaRecorder();
    expect(toTrimmedObject([1], limit, meta, "x")).toEqual({ value: [1] });
    expect(toTrimmedObject("a", limit, meta, "x")).toEqual({ value: "a" });
    expect(toTrimmedObject([], limit, meta, "x")).toBeNull();
    expect(toTrimmedObject(null, limit, meta, "x")).toBeNull();
  });
});

describe("JSON text", () => {
  test("is what JSON.stringify writes, as long as it fits", () => {
    const value = { a: [1, "x\n", null, true, { "b c": 1.5 }], d: {} };
    expect(toJsonText(value, 1_000)).toEqual({ text: JSON.stringify(value), isWhole: true });
  });

  test("stops at its length, however large the value", () => {
    const { text, isWhole } = toJsonText({ a: Array.from({ length: 100_000 }, () => "xyz") }, 100);
    expect(isWhole).toBe(false);
    expect(text.length).toBeLessThan(120);
  });
});
