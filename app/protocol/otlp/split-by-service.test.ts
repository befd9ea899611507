import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import { encodeOtlp } from "../../../tests/support/encode-otlp.ts";
import { attributes, makeOtlpLogs } from "../../../tests/support/make-otlp.ts";
import { MAX_RESOURCE_VALUES } from "./raw-resources.ts";
import { readOtlpRequest } from "./read-request.ts";
import { splitByService } from "./split-by-service.ts";

const logsOf = (service: string | null, ...texts: string[]) => ({
  resource: { attributes: attributes({ "host.name": "a", ...(service === null ? {} : { "service.name": service }) }) },
  scopeLogs: [{ logRecords: texts.map((stringValue) => ({ body: { stringValue } })) }],
});
const REQUEST = {
  resourceLogs: [logsOf("cart", "one"), logsOf(null, "two"), logsOf("pay", "three"), logsOf("cart", "four")],
};
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe.each([
  ["application/json", json],
  ["application/x-protobuf", (value: Record<string, unknown>) => encodeOtlp("logs", value)],
] as const)("%s", (contentType, encode) => {
  const split = (request: Record<string, unknown>, targetOf: (service: string | null) => string) =>
    splitByService(encode(request), "logs", contentType, targetOf);
  const texts = (bytes: Uint8Array) => {
    const read = readOtlpRequest(bytes, "logs", contentType);
    if (!read.ok) throw new Error(read.detail);
    return read.groups.flatMap(({ items }) => items.map(({ body }) => (body as { stringValue: string }).stringValue));
  };

  test("each target gets its resources whole, and their counts", () => {
    const result = split(REQUEST, (service) => (service === "cart" ? "shop" : "rest"));
    if (!result.ok) throw new Error(result.detail);
    expect(result.parts.map(({ target, bytes, glance }) => [target, texts(bytes), glance.count])).toEqual([
      ["shop", ["one", "four"], 2],
      ["rest", ["two", "three"], 2],
    ]);
  });

  test("a request of one target stays as it came", () => {
    const bytes = encode(REQUEST);
    const result = splitByService(bytes, "logs", contentType, () => "all");
    expect(result).toMatchObject({ ok: true, parts: [{ target: "all", glance: { count: 4 } }] });
    expect(result.ok && result.parts[0]?.bytes).toBe(bytes);
    expect(split({}, () => "none")).toMatchObject({ ok: true, parts: [{ target: "none", glance: { count: 0 } }] });
  });

  test("of two names of a service the last counts, as in the digest", () => {
    const [resourceLogs] = makeOtlpLogs([{ body: { stringValue: "x" } }]).resourceLogs as [Record<string, unknown>];
    const resource = { attributes: [...attributes({ "service.name": "a" }), ...attributes({ "service.name": "b" })] };
    const result = split({ resourceLogs: [{ ...resourceLogs, resource }] }, String);
    expect(result.ok && result.parts[0]?.target).toBe("b");
  });
});

test("attributes of resources have a bound", () => {
  const attribute = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(new Uint8Array()).finish();
  const resource = new Uint8Array((MAX_RESOURCE_VALUES + 1) * attribute.length);
  for (let at = 0; at < resource.length; at += attribute.length) resource.set(attribute, at);
  const inner = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(resource).finish();
  const bytes = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(inner).finish();
  expect(splitByService(bytes, "logs", "application/x-protobuf", String)).toMatchObject({
    ok: false,
    reason: "invalid_protobuf",
    detail: expect.stringContaining(`more than ${MAX_RESOURCE_VALUES}`),
  });
});
