import { describe, expect, test, vi } from "vitest";
import { digestOtlp, readCells } from "../../../tests/support/digest-otlp.ts";

const NANOSECONDS = `${Date.UTC(2026, 5, 1, 12)}000000`;
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const EMPTY = { key: "empty", value: {} };
const OBJECT = { key: "object", value: { kvlistValue: { values: [{ key: "a", value: {} }, text("b", "c")] } } };
const RESOURCE = {
  attributes: [
    text("service.name", "checkout"),
    text("service.version", "x".repeat(300)),
    text("deployment.environment", "old"),
    text("deployment.environment.name", "new"),
    text("telemetry.sdk.version", "2.1.0"),
    { key: "cloud.region", value: {} },
  ],
  droppedAttributesCount: 3,
};
const SCOPE = {
  name: "n".repeat(250),
  version: "1.2",
  attributes: [text("tier", "gold"), EMPTY],
  droppedAttributesCount: 4,
};
const OF_ORIGIN = {
  "resource.service.version": "x".repeat(300),
  "resource.deployment.environment": "old",
  "resource.telemetry.sdk.version": "2.1.0",
  "resource.cloud.region": null,
  "resource.otel.dropped_attributes_count": 3,
  "instrumentation.name": "n".repeat(250),
  "instrumentation.version": "1.2",
  "instrumentation.tier": "gold",
  "instrumentation.empty": null,
  "instrumentation.otel.dropped_attributes_count": 4,
};

describe.each(["application/json", "application/x-protobuf"] as const)("what comes as %s is kept whole:", (type) => {
  test("a span, with its events, links, resource and scope", () => {
    const span = {
      traceId: "1".repeat(32),
      spanId: "2".repeat(16),
      name: "GET",
      startTimeUnixNano: NANOSECONDS,
      endTimeUnixNano: NANOSECONDS,
      traceState: `vendor=${"v".repeat(600)}`,
      status: { code: 1 },
      attributes: [EMPTY, OBJECT, { key: "service.name", value: {} }],
      droppedAttributesCount: 5,
      droppedEventsCount: 6,
      droppedLinksCount: 7,
      events: [{ name: "retry", timeUnixNano: NANOSECONDS, attributes: [EMPTY, OBJECT], droppedAttributesCount: 8 }],
      links: [
        {
          traceId: "3".repeat(32),
          spanId: "4".repeat(16),
          traceState: "a=b",
          attributes: [EMPTY],
          droppedAttributesCount: 9,
          flags: 1,
        },
      ],
    };
    const request = { resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: SCOPE, spans: [span] }] }] };
    const [row] = digestOtlp("traces", request, type).items.flatMap(({ rows }) => rows.map(readCells));
    expect(row).toMatchObject({
      attributes: {
        ...OF_ORIGIN,
        empty: null,
        object: '{"a":null,"b":"c"}',
        "service.name": null,
        "w3c.tracestate": span.traceState,
        "otel.status_code": "OK",
        "otel.dropped_attributes_count": 5,
        "otel.dropped_events_count": 6,
        "otel.dropped_links_count": 7,
      },
      rest: {
        events: [
          {
            name: "retry",
            attributes: { empty: null, object: '{"a":null,"b":"c"}', "otel.dropped_attributes_count": 8 },
          },
        ],
        links: [
          {
            trace_id: "3".repeat(32),
            span_id: "4".repeat(16),
            sampled: true,
            attributes: { empty: null, "w3c.tracestate": "a=b", "otel.dropped_attributes_count": 9 },
          },
        ],
      },
    });
  });

  test("a log record, with its resource and scope", () => {
    const record = {
      timeUnixNano: NANOSECONDS,
      severityText: "S".repeat(40),
      body: OBJECT.value,
      attributes: [EMPTY, OBJECT],
      eventName: "e".repeat(300),
      droppedAttributesCount: 5,
      traceId: "1234",
      spanId: "5678",
    };
    const request = { resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: SCOPE, logRecords: [record] }] }] };
    const [row] = digestOtlp("logs", request, type).items.flatMap(({ rows }) => rows.map(readCells));
    expect(row).toMatchObject({
      body: { a: null, b: "c" },
      attributes: {
        ...OF_ORIGIN,
        empty: null,
        object: '{"a":null,"b":"c"}',
        "event.name": "e".repeat(300),
        "otel.dropped_attributes_count": 5,
      },
      rest: { level: "s".repeat(40), trace_id: "1234", span_id: "5678" },
    });
  });

  test("a metric, with its resource and scope", () => {
    const metric = {
      name: "cpu",
      metadata: [text("from", "prometheus"), EMPTY],
      gauge: { dataPoints: [{ timeUnixNano: NANOSECONDS, asInt: "1", attributes: [EMPTY, OBJECT] }] },
    };
    const request = { resourceMetrics: [{ resource: RESOURCE, scopeMetrics: [{ scope: SCOPE, metrics: [metric] }] }] };
    const [item] = digestOtlp("metrics", request, type).items;
    // Behind the headers of an envelope and its item.
    const [, , stored] = Buffer.from(item?.payload ?? [])
      .toString()
      .split("\n");
    expect(JSON.parse(stored ?? "")).toEqual(request);
  });
});

test.each([
  [{ "url.path": "/nothing", "url.query": "a=1" }, "/nothing", "GET /nothing"],
  [{ "http.target": "/nothing?a=1" }, "/nothing?a=1", "GET /nothing"],
  [{ "http.target": "/nothing?a=1", "http.url": "http://shop/old?a=1" }, "http://shop/old?a=1", "GET /old"],
])("a request that is called by its method alone is named by %o, which stay as they came", (sent, url, nameGroup) => {
  const attributes = Object.entries({ "http.request.method": "GET", ...sent }).map(([key, value]) => text(key, value));
  const ids = { traceId: "1".repeat(32), spanId: "2".repeat(16), kind: 2 };
  const span = { ...ids, name: "GET", startTimeUnixNano: NANOSECONDS, endTimeUnixNano: NANOSECONDS, attributes };
  const { items } = digestOtlp("traces", { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const [row] = items.flatMap(({ rows }) => rows.map(readCells));
  expect(row).toMatchObject({ op: "http.server", name: "GET", url, name_group: nameGroup, attributes: sent });
});

test("nested attributes that would make more JSON than one span or log may have are refused before any is made", () => {
  const long = { kvlistValue: { values: [text("a", "\u0001".repeat(300_000))] } };
  const ids = { traceId: "1".repeat(32), spanId: "2".repeat(16) };
  const span = { ...ids, name: "GET", startTimeUnixNano: NANOSECONDS, endTimeUnixNano: NANOSECONDS };
  const attributes = [{ key: "k", value: long }];
  for (const [signal, request] of [
    ["traces", { resourceSpans: [{ scopeSpans: [{ spans: [span, { ...span, attributes }] }] }] }],
    ["traces", { resourceSpans: [{ scopeSpans: [{ spans: [span, { ...span, events: [{ attributes }] }] }] }] }],
    ["traces", { resourceSpans: [{ scopeSpans: [{ spans: [span, { ...span, links: [{ attributes }] }] }] }] }],
    ["logs", { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: "a" }, { attributes }] }] }] }],
    ["logs", { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: "a" }, { body: long }] }] }] }],
  ] as const) {
    const stringify = vi.spyOn(JSON, "stringify");
    const { items, outcomes } = digestOtlp(signal, request, "application/x-protobuf");
    const made = stringify.mock.results.map(({ value }) => String(value).length);
    stringify.mockRestore();
    expect(items.map(({ rows }) => rows.length)).toEqual([1]);
    expect(outcomes).toMatchObject([
      { outcome: "too_large", reason: signal === "logs" ? "log_size" : "span_size", quantity: 1 },
    ]);
    expect(Math.max(...made)).toBeLessThan(10_000);
  }
});

test("a resource with a wrong clock does not move what others sent in the same request", () => {
  const at = (hours: number) => `${Date.UTC(2026, 5, 1, 12) + hours * 3_600_000}000000`;
  const resource = (name: string) => ({ attributes: [text("service.name", name)] });
  const span = (spanId: string, hours: number) => ({
    traceId: "1".repeat(32),
    spanId: spanId.repeat(16),
    startTimeUnixNano: at(hours),
    endTimeUnixNano: at(hours),
  });
  const request = {
    resourceSpans: [
      { resource: resource("fast"), scopeSpans: [{ spans: [span("a", 0.5)] }, { spans: [span("b", 0.25)] }] },
      { resource: resource("right"), scopeSpans: [{ spans: [span("c", 0)] }] },
    ],
  };
  const rows = digestOtlp("traces", request).items.flatMap((item) => item.rows.map(readCells));
  const hours = rows.map(({ started_us }) => (Number(started_us) / 1000 - Date.UTC(2026, 5, 1, 12)) / 3_600_000);
  expect(hours).toEqual([0, -0.25, 0]);

  const record = (hours: number) => ({ timeUnixNano: at(hours), body: { stringValue: "line" } });
  const logs = {
    resourceLogs: [
      { resource: resource("fast"), scopeLogs: [{ logRecords: [record(0.5)] }] },
      { resource: resource("right"), scopeLogs: [{ logRecords: [record(0)] }] },
    ],
  };
  const lines = digestOtlp("logs", logs).items.flatMap((item) => item.rows.map(readCells));
  expect(lines.map(({ shift_us }) => shift_us)).toEqual([-1_800_000_000, null]);
});
