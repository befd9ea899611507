import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { createBodyDecoder } from "./decode-body.ts";
import { createInFlightBytes } from "./in-flight-bytes.ts";
import { Refusal } from "./refusal.ts";
import { readStoreBody } from "./store-body.ts";

const ID = "9ec79c33ec9942ab8353589fcb2e04dc";
const FRESH = "f".repeat(32);
const JSON_TEXT = `{"event_id":"${ID}","message":"hi"}`;

async function read(body: Uint8Array | string) {
  const stored = await readStoreBody(Buffer.from(body), {
    randomId: () => FRESH,
    decodeBody: createBodyDecoder(),
    lease: createInFlightBytes(1e9).open(),
  });
  if (stored instanceof Refusal) return { refused: stored.code };
  const { header, items } = parseEnvelope(stored.envelope);
  const [item] = items;
  return {
    eventId: stored.eventId,
    header,
    type: item?.header.type,
    payload: Buffer.from(item?.payload ?? []).toString(),
  };
}

const STORED = { eventId: ID, header: { event_id: ID }, type: "event", payload: JSON_TEXT };

describe("readStoreBody", () => {
  test.each([
    ["plain JSON", JSON_TEXT],
    ["JSON after blanks", `\r\n \t${JSON_TEXT}`],
    ["JSON after a byte order mark", `\uFEFF${JSON_TEXT}`],
    ["base64 of JSON", Buffer.from(JSON_TEXT).toString("base64")],
    ["base64 of a zlib stream", zlib.deflateSync(JSON_TEXT).toString("base64")],
    ["base64 of a gzip stream", zlib.gzipSync(JSON_TEXT).toString("base64")],
    ["URL-safe base64", zlib.deflateSync(JSON_TEXT).toString("base64url")],
    [
      "base64 in lines",
      (
        zlib
          .deflateSync(JSON_TEXT)
          .toString("base64")
          .match(/.{1,20}/g) ?? []
      ).join("\r\n"),
    ],
    ["base64 whose plus signs became spaces", zlib.deflateSync(JSON_TEXT).toString("base64").replaceAll("+", " ")],
  ])("takes %s", async (_, body) => {
    expect(await read(body)).toEqual(STORED);
  });

  test("keeps pretty-printed JSON whole", async () => {
    const pretty = JSON.stringify(JSON.parse(JSON_TEXT), null, 2);
    expect(await read(pretty)).toEqual({ ...STORED, payload: pretty });
  });

  test.each([
    ["NaN", `{"event_id":"${ID}","extra":NaN}`],
    ["a raw line break in text", `{"event_id":"${ID}","message":"a\nb"}`],
    ["a raw NUL in text", `{"event_id":"${ID}","message":"a\0b"}`],
    ["nesting without end", `{"event_id":"${ID}","extra":${"[".repeat(5000)}${"]".repeat(5000)}}`],
  ])("takes JSON that the digest can repair as it is, under its own id: %s", async (_, body) => {
    expect(await read(body)).toEqual({ ...STORED, payload: body });
  });

  test("gives an id to an event that has none, or none that is valid", async () => {
    expect(await read("{}")).toMatchObject({ eventId: FRESH });
    expect(await read('{"event_id":"short"}')).toMatchObject({ eventId: FRESH });
    expect(await read('{"event_id":17}')).toMatchObject({ eventId: FRESH });
  });

  test("knows a transaction by its type", async () => {
    expect(await read('{"type":"transaction"}')).toMatchObject({ type: "transaction" });
    expect(await read('{"type":"error"}')).toMatchObject({ type: "event" });
  });

  test("keeps JSON with NaN, which the digest can read", async () => {
    expect(await read('{"extra":{"x":NaN}}')).toMatchObject({ eventId: FRESH, payload: '{"extra":{"x":NaN}}' });
    expect(await read('{"extra":[-Infinity]}')).toMatchObject({ eventId: FRESH });
  });

  test.each([
    ["nothing", "", "empty_body"],
    ["blanks", " \n", "empty_body"],
    ["broken JSON", '{"message":', "malformed_json"],
    ["a list", "[1]", "malformed_json"],
    ["a word with a space in it", "hello, world", "malformed_json"],
    ["base64 of something else", Buffer.from("hello, world").toString("base64"), "malformed_json"],
    ["base64 of a broken stream", zlib.deflateSync(JSON_TEXT).subarray(0, 20).toString("base64"), "malformed_encoding"],
  ])("refuses %s", async (_, body, refused) => {
    expect(await read(body)).toEqual({ refused });
  });

  test("takes an event of 1 MiB and none that is a byte larger", async () => {
    const event = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;
    expect(await read(event(1024 * 1024))).toMatchObject({ eventId: FRESH });
    expect(await read(event(1024 * 1024 + 1))).toEqual({ refused: "event_too_large" });
    expect(await read(Buffer.from(event(1024 * 1024)).toString("base64"))).toMatchObject({ eventId: FRESH });
  });

  test("does not unpack a bomb in base64", async () => {
    expect(await read(zlib.deflateSync(Buffer.alloc(20_000_000)).toString("base64"))).toEqual({
      refused: "body_too_large",
    });
  });
});
