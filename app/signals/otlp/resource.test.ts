import { expect, test } from "vitest";
import { digestOtlp as digest } from "../../../tests/support/digest-otlp.ts";
import { encodeOtlp } from "../../../tests/support/encode-otlp.ts";
import { glanceAtOtlp } from "../../protocol/otlp/read-request.ts";
import { MAX_RESOURCE_CHARACTERS } from "../../protocol/otlp/walk-request.ts";

const LONG = 500_000;
const resource = { attributes: [{ key: "long", value: { stringValue: "x".repeat(LONG) } }] };
const NANOSECONDS = `${Date.UTC(2026, 5, 1, 12)}000000`;
const span = {
  traceId: "1".repeat(32),
  spanId: "2".repeat(16),
  name: "GET",
  startTimeUnixNano: NANOSECONDS,
  endTimeUnixNano: NANOSECONDS,
};

test("what a resource brings to many spans or logs is bounded, the rest of them is counted, and the sender told", () => {
  const kept = Math.floor(MAX_RESOURCE_CHARACTERS / (LONG + 100));
  const each = (one: unknown) => Array.from({ length: kept + 5 }, () => one);
  const body = { stringValue: "a" };
  for (const [signal, request] of [
    ["logs", { resourceLogs: [{ resource, scopeLogs: [{ logRecords: each({ body }) }] }] }],
    ["traces", { resourceSpans: [{ resource, scopeSpans: [{ spans: each(span) }] }] }],
  ] as const) {
    const { items, outcomes } = digest(signal, request);
    expect(items.map(({ rows }) => rows.length)).toEqual([kept]);
    expect(outcomes).toMatchObject([{ outcome: "too_large", reason: "resource_size", quantity: 5 }]);
    const glance = { count: kept + 5, refused: new Map([["resource_size", 5]]) };
    const json = Buffer.from(JSON.stringify(request));
    expect(glanceAtOtlp(json, signal, "application/json")).toEqual({ ok: true, glance });
    const protobuf = encodeOtlp(signal, request);
    expect(glanceAtOtlp(protobuf, signal, "application/x-protobuf")).toEqual({ ok: true, glance });
  }
});

test("the attributes of a scope count as those of a resource do", () => {
  const scope = { attributes: resource.attributes };
  const spans = (count: number) => Array.from({ length: count }, () => span);
  const kept = Math.floor(MAX_RESOURCE_CHARACTERS / (LONG + 100));
  const request = { resourceSpans: [{ scopeSpans: [{ scope, spans: spans(kept + 5) }] }] };
  const { items, outcomes } = digest("traces", request);
  expect(items.map(({ rows }) => rows.length)).toEqual([kept]);
  expect(outcomes).toMatchObject([{ reason: "resource_size", quantity: 5 }]);
  const glance = { count: kept + 5, refused: new Map([["resource_size", 5]]) };
  expect(glanceAtOtlp(encodeOtlp("traces", request), "traces", "application/x-protobuf")).toEqual({ ok: true, glance });
});

test("a resource that is too large by itself is refused before anything is made of it", () => {
  const sent = {
    resource: {
      attributes: [
        {
          key: "k",
          value: { kvlistValue: { values: [{ key: "a", value: { stringValue: "\u0001".repeat(200_000) } }] } },
        },
      ],
    },
    scopeSpans: [{ spans: [span] }],
  };
  const glance = { count: 1, refused: new Map([["resource_size", 1]]) };
  const bytes = encodeOtlp("traces", { resourceSpans: [sent] });
  expect(glanceAtOtlp(bytes, "traces", "application/x-protobuf")).toEqual({ ok: true, glance });
  const { items, outcomes } = digest("traces", { resourceSpans: [sent] });
  expect(items).toEqual([]);
  expect(outcomes).toMatchObject([{ outcome: "too_large", reason: "resource_size", quantity: 1 }]);
});

test("many spans whose resource is just small enough are not refused", () => {
  // Seven times its bytes would be too much.
  const request = { resourceSpans: [{ resource, scopeSpans: [{ spans: Array.from({ length: 100 }, () => span) }] }] };
  const glance = glanceAtOtlp(encodeOtlp("traces", request), "traces", "application/x-protobuf");
  expect(glance).toEqual({ ok: true, glance: { count: 100, refused: new Map() } });
});

test("scopes without spans or logs cost nothing, and those of a metric do not repeat their resource", () => {
  const scopes = Array.from({ length: 2_000 }, () => ({}));
  const { items } = digest("logs", {
    resourceLogs: [{ resource, scopeLogs: [...scopes, { logRecords: [{ body: "a" }] }] }],
  });
  expect(items.map(({ rows }) => rows.length)).toEqual([1]);
  const metrics = [{ name: "cpu", gauge: { dataPoints: [{ asInt: "1", timeUnixNano: NANOSECONDS }] } }];
  const [metric] = digest("metrics", { resourceMetrics: [{ resource, scopeMetrics: [...scopes, { metrics }] }] }).items;
  expect(metric?.payload?.length).toBeLessThan(2 * LONG);
});

test("metrics and resources that cannot be read are counted, and what is beside them is stored", () => {
  const metric = { name: "cpu", gauge: { dataPoints: [{ asInt: "1" }, { asInt: "2" }] } };
  const broken = { resource: { attributes: [null] }, scopeMetrics: [{ metrics: [metric] }] };
  const { items, outcomes } = digest("metrics", {
    resourceMetrics: [broken, { resource: {}, scopeMetrics: [{ metrics: [metric, null] }] }],
  });
  expect(items.map(({ outcome }) => outcome.quantity)).toEqual([2]);
  const alone = digest("metrics", { resourceMetrics: [broken] });
  expect(alone.items).toEqual([]);
  const lost = { outcome: "malformed", category: "trace_metric" };
  expect(alone.outcomes).toMatchObject([{ ...lost, reason: "resource_attribute_not_an_object", quantity: 2 }]);
  expect(outcomes).toMatchObject([
    { ...lost, reason: "resource_attribute_not_an_object", quantity: 2 },
    { ...lost, reason: "not_an_object", quantity: 1 },
  ]);
});
