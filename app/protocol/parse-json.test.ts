import { describe, expect, test } from "vitest";
import { glanceAtJson, parseJson } from "./parse-json.ts";

function parse(text: string) {
  return parseJson(Buffer.from(text));
}

describe("JSON as it should be", () => {
  test.each(['{"a":[1,"x",null,true]}', "[]", '"text"', "5", "null", ' {"a":1} \r\n'])("%s", (text) => {
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text), repairs: [] });
  });

  test("a view into a larger buffer is read in its bounds", () => {
    const bytes = Buffer.from('x{"a":1}y');
    expect(parseJson(bytes.subarray(1, 8))).toEqual({ ok: true, value: { a: 1 }, repairs: [] });
  });
});

describe("JSON as it is", () => {
  test("a byte order mark is skipped", () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 }, repairs: [] });
  });

  test("bytes that are no UTF-8 become U+FFFD", () => {
    expect(parseJson(new Uint8Array([0x22, 0xff, 0x41, 0x22]))).toEqual({
      ok: true,
      value: "\ufffdA",
      repairs: ["invalid-utf8"],
    });
    expect(parse('"\ufffd"')).toEqual({ ok: true, value: "\ufffd", repairs: [] });
  });

  test("NaN and Infinity become null, but not inside text", () => {
    expect(parse('{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" Infinity"}')).toEqual({
      ok: true,
      value: { a: null, b: [null, null], c: 'NaN " Infinity' },
      repairs: ["not-a-number"],
    });
  });

  test("raw line breaks in text are understood", () => {
    expect(parse('{"a":"x\ny\tz"}')).toEqual({ ok: true, value: { a: "x\ny\tz" }, repairs: ["control-character"] });
  });

  test("NUL is removed, from keys too, raw or escaped", () => {
    expect(parse('{"a\\u0000b":["x\\u0000y"]}')).toEqual({ ok: true, value: { ab: ["xy"] }, repairs: ["nul"] });
    expect(parse('{"a":"x\u0000y"}')).toEqual({ ok: true, value: { a: "xy" }, repairs: ["nul"] });
  });

  test("half a surrogate pair becomes U+FFFD, a whole one stays", () => {
    expect(parse('["\\ud83d","\\ude00x","\\ud83d\\ude00","\\\\ud83d"]')).toEqual({
      ok: true,
      value: ["\ufffd", "\ufffdx", "😀", "\\ud83d"],
      repairs: ["lone-surrogate"],
    });
  });

  test("integers beyond 2^53 keep their digits as text, but as the value of a measurement", () => {
    expect(
      parse('{"a":18446744073709551615,"b":[-9007199254740993],"value":9007199254740993,"c":9007199254740991}'),
    ).toEqual({
      ok: true,
      value: { a: "18446744073709551615", b: ["-9007199254740993"], value: 9007199254740992, c: 9007199254740991 },
      repairs: ["large-number"],
    });
  });

  test("an attribute that is an integer keeps its digits, whether its type stands before or behind it", () => {
    expect(
      parse(
        '[{"type":"integer","value":9223372036854775807},{"value":-9223372036854775808,"type":"integer"},{"type":"double","value":9007199254740993}]',
      ),
    ).toMatchObject({
      value: [
        { type: "integer", value: "9223372036854775807" },
        { value: "-9223372036854775808", type: "integer" },
        { type: "double", value: 9007199254740992 },
      ],
    });
  });

  test("what no double holds becomes text, and not null as JSON would write it", () => {
    expect(parse('{"a":1e400,"b":{"value":-1e400}}')).toEqual({
      ok: true,
      value: { a: "1e400", b: { value: "-1e400" } },
      repairs: ["large-number"],
    });
  });

  test("large fractions and exponents stay numbers", () => {
    expect(parse("[1e300,12345678901234567890.5]")).toMatchObject({ value: [1e300, 12345678901234567000] });
  });

  test("of a key that stands twice, the last counts", () => {
    expect(parse('{"a":1,"a":2}')).toMatchObject({ value: { a: 2 } });
  });

  test("the key __proto__ stays where it is asked for, as a field like others", () => {
    const text = '{"__proto__":{"x":"a\\u0000b"},"__pro\\u0000to__":1,"a":[{"__proto__":2}]}';
    const parsed = parseJson(new TextEncoder().encode(text), { keepsPrototypeKeys: true });
    const value = parsed.ok ? (parsed.value as Record<string, unknown>) : {};
    expect(JSON.stringify(value)).toBe('{"__proto__":1,"a":[{"__proto__":2}]}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(parsed).toMatchObject({ repairs: ["nul"] });
  });

  test("the key __proto__ is dropped, at any depth", () => {
    const parsed = parse('{"__proto__":{"x":1},"a":[{"__proto__":2,"constructor":3}]}');
    expect(parsed).toMatchObject({ ok: true, repairs: ["prototype-key"] });
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe('{"a":[{"constructor":3}]}');
  });
});

describe("invalid JSON", () => {
  test.each([
    ["", "empty"],
    [" \n", "empty"],
    ["\ufeff", "empty"],
    ["{", "not JSON"],
    ['{"a":1', "not JSON"],
    ["[1,]", "not JSON"],
    ["{'a':1}", "not JSON"],
    ['{"a":NaN', "not JSON"],
  ])("%j is %s", (text, reason) => {
    expect(parse(text)).toEqual({ ok: false, reason });
  });
});

describe("nesting", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test("200 levels pass, the 201st is cut off", () => {
    expect(parse(nested(200))).toMatchObject({ ok: true, repairs: [] });
    const parsed = parse(`{"before":1,"deep":${nested(5000)},"after":[{}]}`);
    expect(parsed).toMatchObject({ ok: true, value: { before: 1, after: [{}] }, repairs: ["deep-nesting"] });
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe(
      `{"before":1,"deep":${"[".repeat(199)}"…"${"]".repeat(199)},"after":[{}]}`,
    );
  });

  test("each that is too deep is cut, with what stands beside it in place", () => {
    const open = '{"a":'.repeat(199);
    const close = "}".repeat(199);
    const parsed = parse(`${open}[1,{"b":"]"},[2],"x}"]${close}`);
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe(`${open}[1,"…","…","x}"]${close}`);
  });

  test("of a large body, too, which is cut before its brackets become objects", () => {
    const parsed = parse(`{"deep":${nested(200_000)},"after":1}`);
    expect(parsed).toMatchObject({ ok: true, value: { after: 1 }, repairs: ["deep-nesting"] });
  });

  test("brackets that do not close are no JSON", () => {
    expect(parse("[".repeat(1_000_000))).toEqual({ ok: false, reason: "not JSON" });
    expect(parse(`${"[".repeat(300)}${"]".repeat(299)}`)).toEqual({ ok: false, reason: "not JSON" });
    expect(parse(`{"a":${"[".repeat(300_000)}}`)).toEqual({ ok: false, reason: "not JSON" });
  });

  test("brackets inside text do not count", () => {
    expect(parse(JSON.stringify({ a: `${"[".repeat(300_000)}\\"` })).ok).toBe(true);
  });
});

describe("a glance at JSON", () => {
  const glance = (text: string) => glanceAtJson(Buffer.from(text));

  test("gives what is there, repaired where it could not be read", () => {
    expect(glance('\ufeff{"a":NaN,"b":"x\ny"}')).toEqual({ a: null, b: "x\ny" });
    expect(glance('{"a":1e400,"b":18446744073709551615}')).toEqual({ a: Number.POSITIVE_INFINITY, b: 2 ** 64 });
    expect(glance(`{"a":${"[".repeat(5000)}${"]".repeat(5000)},"b":1}`)).toMatchObject({ b: 1 });
  });

  test("is undefined for invalid JSON", () => {
    for (const text of ["", "{", "[1,]", '{"a":NaN']) expect(glance(text)).toBeUndefined();
  });
});

test("a glance at a large body makes no objects of what nests too deeply, and reads the rest", () => {
  const nest = (depth: number) => `{"deep":${"[".repeat(depth)}${"]".repeat(depth)},"event_id":"a"}`;
  const depthOf = (value: unknown): number => (Array.isArray(value) ? 1 + depthOf(value[0]) : 0);
  const glanced = glanceAtJson(Buffer.from(nest(100_000))) as { deep: unknown; event_id: string };
  expect(glanced.event_id).toBe("a");
  expect(depthOf(glanced.deep)).toBeLessThanOrEqual(200);
});

test("a glance at the fields of a large body makes no objects of what is in them", () => {
  const wide = `{"many":[${"[],".repeat(100_000)}0],"type":"transaction","spans":[{"op":"a ] b"}],"event_id":"a"}`;
  expect(glanceAtJson(Buffer.from(wide), 1)).toEqual({
    many: "…",
    type: "transaction",
    spans: "…",
    event_id: "a",
  });
});
