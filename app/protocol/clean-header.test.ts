import { describe, expect, test } from "vitest";
import { cleanHeader } from "./clean-header.ts";

function nested(depth: number): unknown {
  let value: unknown = "end";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe("a header as it may be stored", () => {
  test("is the very same object where there is nothing to do", () => {
    const header = { type: "event", length: 5, trace: { trace_id: "a" }, list: [1, null, true, "😀"] };
    expect(cleanHeader(header)).toBe(header);
  });

  test("has no NUL and no half of a character, in keys neither", () => {
    expect(cleanHeader({ "a\0": ["x\0y", { "b\ud800": "\udc00" }] })).toEqual({ a: ["xy", { "b\ufffd": "\ufffd" }] });
  });

  test("has no key that would be a prototype when it is copied", () => {
    const cleaned = cleanHeader(JSON.parse('{"__proto__":{"x":1},"__pro\\u0000to__":{"x":2},"sdk":{"__proto__":1}}'));
    expect(cleaned).toEqual({ sdk: {} });
    expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype);
  });

  test("nests no deeper than it may", () => {
    const header = { type: "event", fits: nested(19) };
    expect(cleanHeader(header)).toBe(header);
    expect(cleanHeader({ type: "event", deep: nested(20_000), beside: 1 })).toMatchObject({ type: "event", beside: 1 });
    expect(JSON.stringify(cleanHeader({ deep: nested(20_000) }))).toBe(
      `{"deep":${"[".repeat(19)}null${"]".repeat(19)}}`,
    );
  });
});
