import { describe, expect, test } from "vitest";
import { parseJson } from "./parse-json.ts";

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
    expect(parseJson(new Uint8Array([0x22, 0xff, 0x41, 0x22]))).toMatchObject({ value: "\ufffdA" });
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

  test("integers beyond 2^53 keep their digits as text, but under value", () => {
    expect(
      parse('{"a":18446744073709551615,"b":[-9007199254740993],"value":9007199254740993,"c":9007199254740991}'),
    ).toEqual({
      ok: true,
      value: { a: "18446744073709551615", b: ["-9007199254740993"], value: 9007199254740992, c: 9007199254740991 },
      repairs: ["large-integer"],
    });
  });

  test("large fractions and exponents stay numbers", () => {
    expect(parse("[1e300,12345678901234567890.5]")).toMatchObject({ value: [1e300, 12345678901234567000] });
  });

  test("of a key that stands twice, the last counts", () => {
    expect(parse('{"a":1,"a":2}')).toMatchObject({ value: { a: 2 } });
  });

  test("the key __proto__ is dropped, at any depth", () => {
    const parsed = parse('{"__proto__":{"x":1},"a":[{"__proto__":2,"constructor":3}]}');
    expect(parsed).toMatchObject({ ok: true, repairs: ["prototype-key"] });
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe('{"a":[{"constructor":3}]}');
  });
});

describe("what is no JSON", () => {
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

  test("200 levels pass, 201 do not", () => {
    expect(parse(nested(200)).ok).toBe(true);
    expect(parse(nested(201))).toEqual({ ok: false, reason: "nested too deeply" });
    expect(parse(`${'{"a":'.repeat(201)}1${"}".repeat(201)}`)).toEqual({ ok: false, reason: "nested too deeply" });
  });

  test("a million brackets are refused before they become objects", () => {
    expect(parse("[".repeat(1_000_000))).toEqual({ ok: false, reason: "nested too deeply" });
    expect(parse(nested(100_000))).toEqual({ ok: false, reason: "nested too deeply" });
  });

  test("brackets inside text do not count", () => {
    expect(parse(JSON.stringify({ a: `${"[".repeat(300_000)}\\"` })).ok).toBe(true);
  });
});
