import { describe, expect, test } from "vitest";
import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { reframeEnvelope, wrapInEnvelope } from "./reframe-envelope.ts";

function reframed(text: string, keep: (type: string) => boolean) {
  const bytes = Buffer.from(text);
  const envelope = parseEnvelope(bytes);
  const kept = envelope.items.filter((item) => keep(item.header.type));
  const result = Buffer.from(reframeEnvelope(bytes, envelope, kept));
  return { text: result.toString(), parsed: parseEnvelope(result), kept };
}

describe("reframeEnvelope", () => {
  test("copies the lines of what stays as they came", () => {
    const { text } = reframed(
      '{ "event_id" : "x", "future":1 }\n{"type":"a"}\n{}\n{"type":"b","length":3, "k":[]}\n\n1\n\n{"type":"c"}\n{"c":1}',
      (type) => type !== "a",
    );
    expect(text).toBe(
      '{ "event_id" : "x", "future":1 }\n{"type":"b","length":3, "k":[]}\n\n1\n\n{"type":"c"}\n{"c":1}\n',
    );
  });

  test("puts a wrong length right, which what followed made understood", () => {
    const json = '{"message":"äöü"}';
    const text = `{}\n{"type":"event","length":${json.length}}\n${json}\n{"type":"drop"}\n{}`;
    const { parsed } = reframed(text, (type) => type === "event");
    expect(parsed.items).toMatchObject([
      { header: { type: "event", length: Buffer.byteLength(json) }, isLengthWrong: false },
    ]);
    expect(Buffer.from(parsed.items[0]?.payload ?? []).toString()).toBe(json);
  });

  test("copies a header whose length was wrong as it came, whatever it holds", () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    const text = `{}\n{"type":"even\\u0000t","length":3,"a":${deep},"b":[1] } \r\n{"m":1}\n{"type":"drop"}\n{}`;
    const { parsed, text: written } = reframed(text, (type) => type === "even\0t");
    expect(parsed.items[0]?.header).toMatchObject({ type: "even\0t", length: 7, b: [1] });
    expect(written).toContain(`"length":3,"a":${deep},"b":[1] ,"length":7}\n{"m":1}`);
  });

  test("gives an envelope that parses to the same items, whichever are left out", () => {
    const text =
      '\uFEFF\n{}\r\n{"type":"a"}\r\n{}\r\n{"type":"b","length":0}\n\n\n{"type":"c","length":2}\n\n\n\n{"type":"d"}';
    for (const left of ["a", "b", "c", "d"]) {
      const { parsed, kept } = reframed(text, (type) => type !== left);
      const plain = (items: typeof kept) =>
        items.map(({ header, payload }) => [header.type, Buffer.from(payload).toString()]);
      expect(plain(parsed.items)).toEqual(plain(kept));
    }
  });
});

test("wrapInEnvelope takes any payload, newlines included", () => {
  const payload = Buffer.from('{\n"a":\n1}\n');
  const { header, items } = parseEnvelope(wrapInEnvelope("id", { type: "event" }, payload));
  expect(header).toEqual({ event_id: "id" });
  expect(items).toMatchObject([{ header: { type: "event", length: payload.length } }]);
  expect(Buffer.from(items[0]?.payload ?? [])).toEqual(payload);
});
