import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import { encodeOtlp } from "../../../tests/support/encode-otlp.ts";
import { attributes, makeOtlpLogs, makeOtlpMetrics, makeOtlpTraces } from "../../../tests/support/make-otlp.ts";
import { OTLP_NAMES } from "./messages.ts";
import { glanceAtOtlp, MAX_GLANCED_MESSAGES, MAX_GROUPS, MAX_JSON_OBJECTS, readOtlpRequest } from "./read-request.ts";

const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json; charset=utf-8";
const AT = 1_780_000_000_000;
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe.each([
  ["traces", makeOtlpTraces(AT), 2],
  ["logs", makeOtlpLogs([{ body: { stringValue: "hello" }, attributes: attributes({ a: 1, b: true }) }]), 1],
  ["metrics", makeOtlpMetrics(AT), 3],
] as const)("%s", (signal, request, count) => {
  test("are the same in both encodings", () => {
    const fromJson = readOtlpRequest(json(request), signal, JSON_TYPE);
    expect(fromJson.ok).toBe(true);
    expect(readOtlpRequest(encodeOtlp(signal, request), signal, PROTOBUF)).toEqual(fromJson);
  });

  test("are counted by a glance", () => {
    for (const [bytes, type] of [
      [json(request), JSON_TYPE],
      [encodeOtlp(signal, request), PROTOBUF],
    ] as const) {
      expect(glanceAtOtlp(bytes, signal, type)).toEqual({ ok: true, glance: { count, refused: new Map() } });
    }
  });
});

test("a glance reads ids and times as the digest does, which takes NUL out", () => {
  const nul = (text: string) => `${text.slice(0, 5)}\0${text.slice(5)}`;
  const ids = { traceId: nul("1".repeat(32)), spanId: nul("2".repeat(16)) };
  const spans = [{ ...ids, startTimeUnixNano: nul("1".repeat(19)), endTimeUnixNano: nul("2".repeat(19)) }];
  const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
  expect(glanceAtOtlp(json(request), "traces", JSON_TYPE)).toEqual({
    ok: true,
    glance: { count: 1, refused: new Map() },
  });
});

test("a glance names what cannot be stored", () => {
  const span = {
    traceId: "1".repeat(32),
    spanId: "2".repeat(16),
    startTimeUnixNano: "2000000",
    endTimeUnixNano: "3000000",
  };
  const request = makeOtlpTraces(AT, [
    { ...span, traceId: "0".repeat(32) },
    { ...span, spanId: "12" },
    { ...span, endTimeUnixNano: "1000000" },
    { ...span, startTimeUnixNano: "0" },
  ]);
  const refused = new Map([
    ["missing_trace_id", 1],
    ["missing_span_id", 1],
    ["ends_before_start", 1],
    ["missing_timestamp", 1],
  ]);
  expect(glanceAtOtlp(json(request), "traces", JSON_TYPE)).toEqual({ ok: true, glance: { count: 6, refused } });
  expect(glanceAtOtlp(encodeOtlp("traces", request), "traces", PROTOBUF)).toEqual({
    ok: true,
    glance: { count: 6, refused },
  });
});

test.each([
  ["logs", { resourceSpans: [] }, "the body has no resourceLogs, but resourceSpans"],
  ["traces", { resource_spans: [] }, "the body has no resourceSpans, but resource_spans"],
  ["traces", { resourceSpans: "x" }, "resourceSpans is not a list of objects"],
  ["traces", { resourceSpans: [null] }, "resourceSpans is not a list of objects"],
  ["traces", { resourceSpans: [{ scopeSpans: {} }] }, "scopeSpans is not a list of objects"],
  ["metrics", { resourceMetrics: [{ scopeMetrics: [{ metrics: 1 }] }] }, "metrics is not a list"],
] as const)("%s of another shape are refused, and not taken for none: %o", (signal, request, detail) => {
  const refusal = { ok: false, reason: "wrong_shape", detail };
  expect(glanceAtOtlp(json(request), signal, JSON_TYPE)).toEqual(refusal);
  expect(readOtlpRequest(json(request), signal, JSON_TYPE)).toEqual(refusal);
});

test("what is empty, and unknown fields beside known ones, are taken", () => {
  for (const request of [{}, { resourceSpans: null }, { resourceSpans: [{ scopeSpans: null, new: 1 }], newer: 2 }])
    expect(glanceAtOtlp(json(request), "traces", JSON_TYPE)).toMatchObject({ ok: true, glance: { count: 0 } });
});

test("a span or log whose attributes are an object is named, instead of losing them", () => {
  const logs = makeOtlpLogs([{ body: { stringValue: "hello" }, attributes: { a: 1 } }]);
  const refused = new Map([["attributes_not_a_list", 1]]);
  expect(glanceAtOtlp(json(logs), "logs", JSON_TYPE)).toEqual({ ok: true, glance: { count: 1, refused } });
});

const SPAN = {
  traceId: "1".repeat(32),
  spanId: "2".repeat(16),
  startTimeUnixNano: "2000000",
  endTimeUnixNano: "3000000",
};

test.each([
  ["logs", null, "not_an_object"],
  ["logs", "a line", "not_an_object"],
  ["logs", { attributes: [null] }, "attribute_not_an_object"],
  ["logs", { eventName: 5 }, "name_not_a_text"],
  ["traces", null, "not_an_object"],
  ["traces", { ...SPAN, name: 5 }, "name_not_a_text"],
  ["traces", { ...SPAN, attributes: ["a"] }, "attribute_not_an_object"],
  ["traces", { ...SPAN, events: {} }, "events_not_a_list"],
  ["traces", { ...SPAN, events: [null] }, "event_not_an_object"],
  ["traces", { ...SPAN, events: [{ name: 5 }] }, "name_not_a_text"],
  ["traces", { ...SPAN, events: [{ attributes: {} }] }, "attributes_not_a_list"],
  ["traces", { ...SPAN, links: [null] }, "link_not_an_object"],
  ["traces", { ...SPAN, links: [{ attributes: [1] }] }, "attribute_not_an_object"],
  ["traces", { ...SPAN, events: [{ attributes: [{ key: 5 }] }] }, "attribute_key_not_a_text"],
  ["traces", { ...SPAN, links: [{ attributes: [{ key: "a", value: [1] }] }] }, "value_not_an_object"],
  ["traces", { ...SPAN, links: [{ traceId: 5 }] }, "trace_id_not_a_text"],
  ["traces", { ...SPAN, events: [{ timeUnixNano: "noon" }] }, "time_not_a_number"],
  ["traces", { ...SPAN, traceState: {} }, "trace_state_not_a_text"],
  ["traces", { ...SPAN, parentSpanId: 5 }, "parent_span_id_not_a_text"],
  ["traces", { ...SPAN, status: 2 }, "status_not_an_object"],
  ["traces", { ...SPAN, status: { message: 2 } }, "status_message_not_a_text"],
  ["logs", { severityText: 5 }, "severity_text_not_a_text"],
  ["logs", { timeUnixNano: "noon" }, "time_not_a_number"],
  ["logs", { observedTimeUnixNano: {} }, "time_not_a_number"],
  ["logs", { body: ["a"] }, "body_value_not_an_object"],
  ["logs", { body: { stringValue: 5 } }, "body_string_value_not_a_text"],
] as const)(
  "%s with something of another type are refused, and their neighbour is kept: %o",
  (signal, item, reason) => {
    const [resources, scopes, items] = OTLP_NAMES[signal];
    const request = { [resources]: [{ [scopes]: [{ [items]: [item, { ...SPAN, name: null, events: null }] }] }] };
    const refused = new Map([[reason, 1]]);
    expect(glanceAtOtlp(json(request), signal, JSON_TYPE)).toEqual({ ok: true, glance: { count: 2, refused } });
  },
);

test.each<[unknown, string]>([
  [{ key: 5, value: { stringValue: "a" } }, "attribute_key_not_a_text"],
  [{ key: {}, value: { stringValue: "a" } }, "attribute_key_not_a_text"],
  [{ key: "a", value: ["a"] }, "value_not_an_object"],
  [{ key: "a", value: { stringValue: 5 } }, "string_value_not_a_text"],
  [{ key: "a", value: { boolValue: "true" } }, "bool_value_not_a_boolean"],
  [{ key: "a", value: { intValue: "many" } }, "int_value_not_a_number"],
  [{ key: "a", value: { intValue: true } }, "int_value_not_a_number"],
  [{ key: "a", value: { stringValue: 2 ** 60 } }, "string_value_not_a_text"],
  [{ key: 2 ** 60 }, "attribute_key_not_a_text"],
  [{ key: "a", value: { doubleValue: [] } }, "double_value_not_a_number"],
  [{ key: "a", value: { bytesValue: [1, 2] } }, "bytes_value_not_a_text"],
  [{ key: "a", value: { arrayValue: ["a"] } }, "array_value_not_an_object"],
  [{ key: "a", value: { arrayValue: { values: {} } } }, "array_values_not_a_list"],
  [{ key: "a", value: { kvlistValue: "a" } }, "kvlist_value_not_an_object"],
  [{ key: "a", value: { kvlistValue: { values: { a: 1 } } } }, "kvlist_values_not_a_list"],
  [{ key: "a", value: { kvlistValue: { values: [null] } } }, "attribute_not_an_object"],
  [{ key: "a", value: { kvlistValue: { values: [{ key: 5 }] } } }, "attribute_key_not_a_text"],
  [{ key: "a", value: { arrayValue: { values: [{ intValue: {} }] } } }, "int_value_not_a_number"],
  [{ key: "a", value: { stringValue: "a", intValue: "1" } }, "several_values"],
])("an attribute that would be lost is refused wherever it stands: %o", (attribute, reason) => {
  const list = [{ key: "fine", value: { stringValue: "a" } }, attribute];
  for (const [signal, item, word] of [
    ["traces", { ...SPAN, attributes: list }, reason],
    ["traces", { ...SPAN, events: [{ attributes: list }] }, reason],
    ["traces", { ...SPAN, links: [{ attributes: list }] }, reason],
    ["logs", { attributes: list }, reason],
    ["logs", { body: { kvlistValue: { values: list } } }, `body_${reason}`],
    ["metrics", { name: "orders", gauge: { dataPoints: [{ attributes: list }] } }, reason],
  ] as const) {
    const [resources, scopes, items] = OTLP_NAMES[signal];
    const bytes = json({ [resources]: [{ [scopes]: [{ [items]: [item] }] }] });
    const refused = new Map([[word, 1]]);
    expect(glanceAtOtlp(bytes, signal, JSON_TYPE)).toEqual({ ok: true, glance: { count: 1, refused } });
    expect(readOtlpRequest(bytes, signal, JSON_TYPE)).toMatchObject({ groups: [], refused });
  }
  for (const origin of ["resource", "scope"]) {
    const scopeSpans = [{ scope: origin === "scope" ? { attributes: list } : undefined, spans: [SPAN] }];
    const resource = origin === "resource" ? { attributes: list } : undefined;
    const refused = new Map([[`${origin}_${reason}`, 1]]);
    const bytes = json({ resourceSpans: [{ resource, scopeSpans }] });
    expect(glanceAtOtlp(bytes, "traces", JSON_TYPE)).toEqual({ ok: true, glance: { count: 1, refused } });
  }
});

test.each([
  ["as JSON", JSON_TYPE, json],
  ["as protobuf", PROTOBUF, (request: Record<string, unknown>) => encodeOtlp("logs", request)],
] as const)("values of 32 levels are taken %s, and a log with deeper ones is refused alone", (_, type, write) => {
  const nest = (depth: number): unknown =>
    depth === 0 ? { stringValue: "a" } : { kvlistValue: { values: [{ key: "k", value: nest(depth - 1) }] } };
  const logs = [31, 32, 100].map((depth) => ({ attributes: [{ key: "deep", value: nest(depth) }] }));
  const read = readOtlpRequest(write(makeOtlpLogs(logs)), "logs", type);
  expect(read).toMatchObject({ ok: true, groups: [{ items: [logs[0]] }], refused: new Map([["value_too_deep", 2]]) });
});

test("a kind of value that OTLP does not have yet is kept of protobuf, too", () => {
  const wrap = (bytes: Uint8Array, ...fields: number[]) =>
    fields.reduce<Uint8Array>(
      (inner, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(inner).finish(),
      bytes,
    );
  const value = new BinaryWriter().tag(99, WireType.Varint).uint32(5).finish();
  expect(readOtlpRequest(wrap(value, 5, 2, 2, 1), "logs", PROTOBUF)).toMatchObject({
    groups: [{ items: [{ body: { field99: "BQ==" } }] }],
  });
});

const METRIC = { name: "orders", gauge: { dataPoints: [{ asInt: "1" }, { asInt: "2" }] } };
const withPoint = (point: unknown) => ({ ...METRIC, gauge: { dataPoints: [{ asInt: "1" }, point] } });

test.each([
  [null, "not_an_object", 1],
  [{ ...METRIC, name: 5 }, "name_not_a_text", 2],
  [{ name: "orders", data: METRIC.gauge }, "no_data", 1],
  [{ ...METRIC, gauge: [] }, "data_not_an_object", 1],
  [{ ...METRIC, gauge: { dataPoints: {} } }, "data_points_not_a_list", 1],
  [withPoint(null), "data_point_not_an_object", 2],
  [withPoint({ attributes: { a: 1 } }), "attributes_not_a_list", 2],
  [withPoint({ attributes: [null] }), "attribute_not_an_object", 2],
  [withPoint({ exemplars: {} }), "exemplars_not_a_list", 2],
  [withPoint({ exemplars: [null] }), "exemplar_not_an_object", 2],
  [withPoint({ exemplars: [{ filteredAttributes: [{ key: 5 }] }] }), "attribute_key_not_a_text", 2],
  [{ ...METRIC, metadata: [{ key: 5 }] }, "attribute_key_not_a_text", 2],
])("metrics with something of another type are refused, and their neighbour is kept: %o", (metric, reason, lost) => {
  const request = { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric, METRIC] }] }] };
  const refused = new Map([[reason, lost]]);
  expect(glanceAtOtlp(json(request), "metrics", JSON_TYPE)).toEqual({ ok: true, glance: { count: lost + 2, refused } });
});

test.each<[{ resource?: unknown; scope?: unknown }, string]>([
  [{ resource: [] }, "resource_not_an_object"],
  [{ resource: { attributes: { a: 1 } } }, "resource_attributes_not_a_list"],
  [{ resource: { attributes: [null] } }, "resource_attribute_not_an_object"],
  [{ scope: "a" }, "scope_not_an_object"],
  [{ scope: { name: 5 } }, "scope_name_not_a_text"],
  [{ scope: { version: 5 } }, "scope_version_not_a_text"],
  [{ scope: { attributes: [null] } }, "scope_attribute_not_an_object"],
])("what a resource or scope of another type holds is refused, of every signal: %o", ({ resource, scope }, reason) => {
  for (const [signal, item] of [
    ["traces", SPAN],
    ["logs", { body: { stringValue: "a" } }],
    ["metrics", { ...METRIC, gauge: { dataPoints: [{ asInt: "1" }] } }],
  ] as const) {
    const [resources, scopes, items] = OTLP_NAMES[signal];
    const neighbour = { [scopes]: [{ [items]: [item] }] };
    const request = { [resources]: [{ resource, [scopes]: [{ scope, [items]: [item, item] }] }, neighbour] };
    const refused = new Map([[reason, 2]]);
    expect(glanceAtOtlp(json(request), signal, JSON_TYPE)).toEqual({ ok: true, glance: { count: 3, refused } });
  }
});

describe("hostile protobuf", () => {
  const read = (bytes: Uint8Array) => readOtlpRequest(bytes, "logs", PROTOBUF);

  test("is refused when it is cut off anywhere", () => {
    const whole = encodeOtlp("traces", makeOtlpTraces(AT));
    for (let length = 1; length < 40; length++) {
      expect(readOtlpRequest(whole.subarray(0, length), "traces", PROTOBUF).ok).toBe(false);
    }
  });

  test("is refused when values nest without end, and its neighbours are kept", () => {
    let value: Uint8Array = new Uint8Array(0);
    for (let depth = 0; depth < 5_000; depth++) {
      value = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(value).finish();
      value = new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(value).finish();
    }
    const nested = new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(value).finish();
    const scope = new BinaryWriter();
    for (const record of [nested, new Uint8Array(0)]) scope.tag(2, WireType.LengthDelimited).bytes(record);
    const request = [2, 1].reduce<Uint8Array>(
      (bytes, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(bytes).finish(),
      scope.finish(),
    );
    expect(read(request)).toMatchObject({
      groups: [{ items: [{}] }],
      refused: new Map([["body_value_too_deep", 1]]),
    });
  });

  test("is refused when it has more messages than memory should hold", () => {
    // Each two bytes are an empty log record.
    const records = new Uint8Array(2_100_000);
    for (let at = 0; at < records.length; at += 2) records[at] = 0x12;
    const bytes = [2, 1].reduce(
      (inner, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(inner).finish(),
      records,
    );
    expect(read(bytes)).toMatchObject({ ok: false, detail: expect.stringContaining("1000000 messages") });
  });

  test("is refused at a glance when a small packed body holds very many records", () => {
    const toRequest = (count: number) =>
      [2, 1].reduce(
        (inner, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(inner).finish(),
        Uint8Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? 0x12 : 0)),
      );
    expect(glanceAtOtlp(toRequest(MAX_GLANCED_MESSAGES - 2), "logs", PROTOBUF)).toMatchObject({ ok: true });
    expect(glanceAtOtlp(toRequest(MAX_GLANCED_MESSAGES), "logs", PROTOBUF)).toMatchObject({
      ok: false,
      detail: "more than 100000 messages in a request",
    });
  });

  test("is refused when it is no protobuf, or another message", () => {
    expect(read(new TextEncoder().encode("hello, this is text")).ok).toBe(false);
    expect(read(new BinaryWriter().tag(1, WireType.Varint).uint32(7).finish()).ok).toBe(false);
  });
});

test("flags have four bytes and whole numbers of metrics may be negative, as exporters write them", () => {
  const wrap = (bytes: Uint8Array, ...fields: number[]) =>
    fields.reduce<Uint8Array>(
      (inner, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(inner).finish(),
      bytes,
    );
  const span = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(new Uint8Array(16).fill(1))
    .tag(2, WireType.LengthDelimited)
    .bytes(new Uint8Array(8).fill(1))
    .tag(7, WireType.Bit64)
    .fixed64(2_000_000)
    .tag(8, WireType.Bit64)
    .fixed64(3_000_000)
    .tag(16, WireType.Bit32)
    .fixed32(0x101)
    .finish();
  expect(readOtlpRequest(wrap(span, 2, 2, 1), "traces", PROTOBUF)).toMatchObject({
    groups: [{ items: [{ flags: 257 }] }],
  });
  const point = new BinaryWriter().tag(6, WireType.Bit64).sfixed64(-5).finish();
  expect(readOtlpRequest(wrap(point, 1, 5, 2, 2, 1), "metrics", PROTOBUF)).toMatchObject({
    groups: [{ items: [{ gauge: { dataPoints: [{ asInt: "-5" }] } }] }],
  });
});

test.each(["traces", "logs", "metrics"] as const)("very many resources or scopes of %s are refused", (signal) => {
  const [resources, scopes] = OTLP_NAMES[signal];
  const empty = (count: number) => Array.from({ length: count }, () => ({}));
  const detail = `more than ${MAX_GROUPS} resources and scopes in a request`;
  for (const [request, refusal] of [
    [{ [resources]: empty(MAX_GROUPS) }, null],
    [{ [resources]: empty(MAX_GROUPS + 1) }, { reason: "too_many_groups", detail }],
    [{ [resources]: [{ [scopes]: empty(MAX_GROUPS) }] }, { reason: "too_many_groups", detail }],
  ] as const) {
    const expected = refusal === null ? { ok: true, glance: { count: 0 } } : { ok: false, ...refusal };
    expect(glanceAtOtlp(json(request), signal, JSON_TYPE)).toMatchObject(expected);
    expect(glanceAtOtlp(encodeOtlp(signal, request), signal, PROTOBUF)).toMatchObject(expected);
  }
});

test("JSON of very many objects is refused before it is read", () => {
  const toRequest = (count: number) =>
    new TextEncoder().encode(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${"{},".repeat(count)}{}]}]}]}`);
  expect(glanceAtOtlp(toRequest(MAX_JSON_OBJECTS - 7), "logs", JSON_TYPE)).toMatchObject({ ok: true });
  expect(glanceAtOtlp(toRequest(MAX_JSON_OBJECTS), "logs", JSON_TYPE)).toMatchObject({
    ok: false,
    reason: "too_many_objects",
    detail: "more than 500000 objects and lists in a request",
  });
});
