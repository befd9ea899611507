import { describe, expect, test } from "vitest";
import { ENVELOPE_PARSE_LIMITS, MalformedEnvelopeError, type ParsedEnvelope, parseEnvelope } from "./parse-envelope.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function parse(text: string): ParsedEnvelope {
  return parseEnvelope(encoder.encode(text));
}

/** Header and payload of each item, as text. */
function itemsOf(text: string): Array<[string, string]> {
  return parse(text).items.map((item) => [item.header.type, decoder.decode(item.payload)]);
}

const ID = "9ec79c33ec9942ab8353589fcb2e04dc";

/** Envelopes as SDKs of many kinds frame them. */
const FIXTURES: Record<string, string> = {
  "explicit lengths": `{"event_id":"${ID}"}\n{"type":"event","length":16}\n{"message":"hi"}\n{"type":"attachment","length":3,"filename":"a"}\nabc\n`,
  "implicit lengths": `{"event_id":"${ID}"}\n{"type":"event"}\n{"message":"hi"}\n{"type":"session"}\n{"sid":1}`,
  "newlines inside payloads": `{}\n{"type":"attachment","length":7}\na\n{"b"}\n{"type":"event","length":5}\n{\n"a"\n`,
  "an empty attachment": `{}\n{"type":"attachment","length":0,"filename":"a"}\n\n{"type":"event"}\n{}\n`,
  "CRLF and blank lines": `{}\r\n\r\n{"type":"event","length":2}\r\n{}\r\n\r\n\r\n{"type":"session"}\r\n{}\r\n`,
  "multi-byte text": `{"event_id":"${ID}"}\n{"type":"event","length":19}\n{"message":"hé→"}\n`,
  "a header alone": "{}",
};

describe("framing", () => {
  test("reads header, items and payloads", () => {
    const envelope = parse(FIXTURES["explicit lengths"] ?? "");
    expect(envelope.header).toEqual({ event_id: ID });
    expect(itemsOf(FIXTURES["explicit lengths"] ?? "")).toEqual([
      ["event", '{"message":"hi"}'],
      ["attachment", "abc"],
    ]);
  });

  test("takes payloads without a length up to the newline", () => {
    expect(itemsOf(FIXTURES["implicit lengths"] ?? "")).toEqual([
      ["event", '{"message":"hi"}'],
      ["session", '{"sid":1}'],
    ]);
  });

  test("takes payloads with a length as they are, newlines included", () => {
    expect(itemsOf(FIXTURES["newlines inside payloads"] ?? "")).toEqual([
      ["attachment", 'a\n{"b"}'],
      ["event", '{\n"a"'],
    ]);
  });

  test("takes a length of zero for a length", () => {
    expect(itemsOf(FIXTURES["an empty attachment"] ?? "")).toEqual([
      ["attachment", ""],
      ["event", "{}"],
    ]);
  });

  test("takes an empty payload also without a newline of its own", () => {
    expect(itemsOf('{}\n{"type":"attachment","length":0}\n{"type":"event"}\n{}')).toEqual([
      ["attachment", ""],
      ["event", "{}"],
    ]);
  });

  test("takes an item header at the very end for an item with an empty payload", () => {
    expect(itemsOf('{}\n{"type":"attachment"}')).toEqual([["attachment", ""]]);
    expect(itemsOf('{}\n{"type":"attachment","length":0}')).toEqual([["attachment", ""]]);
  });

  test("skips blank lines and carriage returns between items, but leaves them in payloads", () => {
    expect(itemsOf(FIXTURES["CRLF and blank lines"] ?? "")).toEqual([
      ["event", "{}"],
      ["session", "{}\r"],
    ]);
  });

  test("skips a byte order mark and blank lines at the start", () => {
    expect(itemsOf('\uFEFF\n{}\n{"type":"event"}\n{}')).toEqual([["event", "{}"]]);
  });

  test("gives views into the bytes it was given, and where items begin and end", () => {
    const bytes = encoder.encode('{}\n{"type":"event","length":2}\n{}\n{"type":"session"}\n[1]');
    const { items, headerStart, headerEnd } = parseEnvelope(bytes);
    expect(items.every((item) => item.payload.buffer === bytes.buffer)).toBe(true);
    expect(decoder.decode(bytes.subarray(headerStart, headerEnd))).toBe("{}");
    expect(items.map((item) => decoder.decode(bytes.subarray(item.start, item.end)))).toEqual([
      '{"type":"event","length":2}\n{}',
      '{"type":"session"}\n[1]',
    ]);
  });

  test("reads bytes that do not begin where their buffer does", () => {
    const whole = encoder.encode('xx{"event_id":"a"}\n{"type":"event"}\n{}\nyy');
    expect(parseEnvelope(whole.subarray(2, whole.length - 2)).items).toHaveLength(1);
  });

  test("keeps keys it does not know, and hostile ones apart from the language's own", () => {
    const { header, items } = parse(
      '{"__proto__":{"dsn":"x"},"future":1}\n{"type":"event","__proto__":{"length":1}}\n{}',
    );
    expect(header.dsn).toBeUndefined();
    expect(header.future).toBe(1);
    expect(items[0]?.header.length).toBeUndefined();
  });

  test("takes the last of duplicate keys", () => {
    expect(parse('{"sent_at":"a","sent_at":"b"}').header).toEqual({ sent_at: "b" });
  });
});

describe("lengths that are wrong", () => {
  test("are forgiven when they count characters instead of bytes", () => {
    const json = '{"message":"äöü"}';
    const text = `{}\n{"type":"event","length":${json.length}}\n${json}\n{"type":"session"}\n{}`;
    expect(itemsOf(text)).toEqual([
      ["event", json],
      ["session", "{}"],
    ]);
    expect(parse(text).items.map((item) => item.isLengthWrong)).toEqual([true, false]);
  });

  test("are forgiven when they count a newline that is not there", () => {
    expect(itemsOf('{}\n{"type":"event","length":3}\n{}')).toEqual([["event", "{}"]]);
  });

  test("may be digits in a string, or null for none", () => {
    expect(itemsOf('{}\n{"type":"attachment","length":"3"}\na\nb')).toEqual([["attachment", "a\nb"]]);
    expect(itemsOf('{}\n{"type":"event","length":null}\n{}')).toEqual([["event", "{}"]]);
  });

  test.each([
    [
      "more than is left of something that is no JSON",
      '{}\n{"type":"attachment","length":9}\nabc',
      "states 9 bytes, but only 3 are left",
    ],
    [
      "more than is left of JSON that was cut",
      '{}\n{"type":"event","length":90}\n{"a":',
      "states 90 bytes, but only 5 are left",
    ],
    ["less than there is", '{}\n{"type":"attachment","length":2}\nabc\n', "no newline follows"],
    ["negative", '{}\n{"type":"attachment","length":-1}\nabc', "not a whole number of bytes"],
    ["fractional", '{}\n{"type":"attachment","length":1.5}\nabc', "not a whole number of bytes"],
    ["beyond every number", '{}\n{"type":"attachment","length":1e300}\nabc', "not a whole number of bytes"],
  ])("are malformed when %s", (_, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

describe("what is malformed", () => {
  test.each([
    ["nothing", "", "the envelope is empty (at byte 0)"],
    ["blank lines", "\n\n", "the envelope is empty (at byte 2)"],
    ["a header that is no JSON", "hello\n", "the envelope header is not valid JSON (at byte 0)"],
    ["a header that is a list", "[]\n", "the envelope header is not a JSON object (at byte 0)"],
    ["a header that is null", "null\n", "the envelope header is not a JSON object (at byte 0)"],
    ["an item header that is no JSON", '{}\n{"type":\n{}', "the header of item 1 is not valid JSON (at byte 3)"],
    [
      "an item header without type",
      '{}\n{"type":"event"}\n{}\n{}\n{}',
      "the header of item 2 has no type (at byte 23)",
    ],
    ["an item type that is no text", '{}\n{"type":1}\n{}', "the header of item 1 has no type (at byte 3)"],
  ])("%s, and the message says where", (_, text, message) => {
    expect(() => parse(text)).toThrow(MalformedEnvelopeError);
    expect(() => parse(text)).toThrow(message);
  });

  test("more than 1,000 items", () => {
    const item = '\n{"type":"x"}\n{}';
    expect(parse(`{}${item.repeat(1000)}`).items).toHaveLength(1000);
    expect(() => parse(`{}${item.repeat(1001)}`)).toThrow("more than 1000 items");
  });

  test("more than 64 KiB of blank bytes in a row, wherever they stand", () => {
    const blank = "\n \r\t".repeat(ENVELOPE_PARSE_LIMITS.maxBlankBytes / 4);
    const item = '{"type":"event","length":2}\n{}';
    expect(parse(`${blank}{}\n${item}`).items).toHaveLength(1);
    // The line break that ends a header or a payload counts as well.
    expect(parse(`{}${blank}${item}${blank}${item}${blank}`).items).toHaveLength(2);
    for (const text of [`${blank}\n{}`, `{}${blank}\n${item}`, `{}\n${item}${blank}\n${item}`, `{}\n${item}${blank}\n`])
      expect(() => parse(text)).toThrow("more than 65536 blank bytes follow one another");
  });

  test("headers beyond their limit", () => {
    const limits = { ...ENVELOPE_PARSE_LIMITS, maxHeaderBytes: 10, maxItemHeaderBytes: 20 };
    const withHeaders = (header: string, itemHeader: string) =>
      parseEnvelope(encoder.encode(`${header}\n${itemHeader}\n{}`), limits);
    const header = '{"a":1234}';
    const itemHeader = '{"type":"event    "}';
    expect(withHeaders(header, itemHeader).items).toHaveLength(1);
    expect(() => withHeaders(`${header} `, itemHeader)).toThrow("the envelope header is longer than 10 bytes");
    expect(() => withHeaders(header, `${itemHeader} `)).toThrow("the header of item 1 is longer than 20 bytes");
  });

  test("item headers that have more than 256 KiB together", () => {
    // A small packed body may be a thousand such headers. As objects they take 600 MB.
    const item = `\n{"type":"session","x":${"[".repeat(4_000)}${"]".repeat(4_000)}}\n{}`;
    expect(parse(`{}${item.repeat(32)}`).items).toHaveLength(32);
    expect(() => parse(`{}${item.repeat(33)}`)).toThrow("the item headers have more than 262144 bytes");
  });

  test("never quotes more than the start of a hostile type", () => {
    const text = `{}\n{"type":"${"x".repeat(1000)}","length":9}\na`;
    expect(() => parse(text)).toThrow(/^item 1 \("x{40}"\) states 9 bytes/);
  });
});

describe("any cut of an envelope", () => {
  test.each(Object.entries(FIXTURES))(
    "of %s gives its first items or is malformed, and never anything else",
    (_, text) => {
      const bytes = encoder.encode(text);
      const whole = parseEnvelope(bytes);
      for (let cut = 0; cut <= bytes.length; cut++) {
        let items: ParsedEnvelope["items"];
        try {
          items = parseEnvelope(bytes.slice(0, cut)).items;
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedEnvelopeError);
          continue;
        }
        const complete = whole.items.filter((item) => item.end <= cut);
        expect(items.slice(0, complete.length).map(({ header, payload }) => [header, decoder.decode(payload)])).toEqual(
          complete.map(({ header, payload }) => [header, decoder.decode(payload)]),
        );
        expect(items.length - complete.length).toBeLessThanOrEqual(1);
      }
    },
  );
});
