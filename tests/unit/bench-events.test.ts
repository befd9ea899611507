import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { groupEvent } from "../../app/grouping/group-event.ts";
import { normalizeEvent } from "../../app/normalize/normalize-event.ts";
import { parseEnvelope } from "../../app/protocol/parse-envelope.ts";
import { createEventMaker } from "../../bench/make-events.ts";
import { findImports, findScripts } from "../../bench/measure-javascript.ts";
import { prepareRequests } from "../../bench/prepare-requests.ts";
import { prepareSpanRequests } from "../../bench/prepare-span-requests.ts";
import { parseMetrics } from "../../bench/server-metrics.ts";

const NOW_MS = Date.UTC(2026, 10, 1);
const DSN = `http://${"a".repeat(32)}@127.0.0.1:3000/1`;

function makeEvents(sizeBytes: number, groupCount: number, count: number) {
  const make = createEventMaker({ sizeBytes, groupCount, nowMs: NOW_MS });
  return Array.from({ length: count }, (_, index) => make(index).json);
}

function hashOf(json: string): string {
  const unknown = { sentAt: null, clientAddress: null, userAgent: null, sdk: null, trace: null };
  const event = normalizeEvent(JSON.parse(json), { eventId: "a".repeat(32), receivedAt: NOW_MS, ...unknown });
  return groupEvent(event).hashes[0] ?? "";
}

describe("events of the benchmark", () => {
  test.each([2_970, 8_000, 10_000, 50_000])("of %i bytes have that size, up to a few percent", (sizeBytes) => {
    const sizes = makeEvents(sizeBytes, 200, 400).map(({ length }) => length);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    expect(mean / sizeBytes).toBeGreaterThan(0.98);
    expect(mean / sizeBytes).toBeLessThan(1.03);
    expect(Math.max(...sizes) / sizeBytes).toBeLessThan(1.2);
  });

  test("are the same in every run", () => {
    expect(makeEvents(10_000, 50, 100)).toEqual(makeEvents(10_000, 50, 100));
  });

  test("fall into as many issues as asked for, by their own frames", () => {
    const groupCount = 1_000;
    const groupsOfHash = Map.groupBy(makeEvents(8_000, groupCount, 2 * groupCount).entries(), ([, json]) =>
      hashOf(json),
    );
    expect(groupsOfHash.size).toBe(groupCount);
    for (const entries of groupsOfHash.values())
      expect(new Set(entries.map(([index]) => index % groupCount)).size).toBe(1);
  });
});

describe("requests of the benchmark", () => {
  test("are envelopes that ingest can read, each with an id of its own", () => {
    const pool = prepareRequests({ dsn: DSN, sizeBytes: 10_000, encoding: "plain", groupCount: 20, count: 1_000 });
    const ids = new Set<string>();
    for (let sent = 0; sent < 1_500; sent++) {
      const request = pool.next();
      if (!request) throw new Error("the pool is empty");
      ids.add(request.id);
      const body = request.bytes.subarray(request.bytes.indexOf("\r\n\r\n") + 4);
      const { header, items } = parseEnvelope(body);
      expect(header.event_id).toBe(request.id);
      expect(items).toHaveLength(1);
      if (sent % 500 === 0)
        expect(JSON.parse(Buffer.from(items[0]?.payload ?? []).toString()).event_id).toBe(request.id);
    }
    expect(ids.size).toBe(1_500);
  });

  test("with spans are containers of one trace each, with as many spans as asked for", () => {
    const pool = prepareSpanRequests({ dsn: DSN, spansPerRequest: 100, count: 2, rate: 200 });
    const requests = [pool.next(), pool.next(), pool.next()];
    expect(requests[2]).toBeNull();
    const traceIds = requests.slice(0, 2).map((request) => {
      const bytes = request?.bytes ?? Buffer.of();
      const body = gunzipSync(bytes.subarray(bytes.indexOf("\r\n\r\n") + 4));
      const { items } = parseEnvelope(body);
      expect(items[0]?.header).toMatchObject({ type: "span", item_count: 100 });
      const spans: Array<{ trace_id: string }> = JSON.parse(Buffer.from(items[0]?.payload ?? []).toString()).items;
      expect(spans).toHaveLength(100);
      expect(new Set(spans.map((span) => span.trace_id))).toEqual(new Set([request?.id]));
      return request?.id;
    });
    expect(new Set(traceIds).size).toBe(2);
  });

  test("that are compressed are sent once", () => {
    const pool = prepareRequests({ dsn: DSN, sizeBytes: 2_970, encoding: "gzip", groupCount: 2, count: 2 });
    expect([pool.next(), pool.next(), pool.next()].map((request) => request !== null)).toEqual([true, true, false]);
  });
});

describe("what a page loads first", () => {
  test("is its module scripts and preloads, and not what it may load later", () => {
    const html =
      '<link rel="modulepreload" href="/assets/a.js"/><link rel="prefetch" href="/assets/later.js"/>' +
      '<script type="module" src="/assets/b.js"></script>' +
      '<script type="module" async="">import "/assets/manifest.js";import * as r from "/assets/r.js";import("/assets/no.js")</script>';
    expect(findScripts(html)).toEqual(["/assets/a.js", "/assets/b.js", "/assets/manifest.js", "/assets/r.js"]);
  });

  test("follows static imports of built modules only", () => {
    const source =
      'import{a as b}from"./one.js";import"./two.js";import c,{d}from"./three.js";const e=()=>import("./four.js");' +
      'export{f}from"./five.js";export*from"./six.js";const g={import:"./seven.js"};';
    expect(findImports(source)).toEqual(["./one.js", "./two.js", "./three.js", "./five.js", "./six.js"]);
  });
});

test("metrics are summed over the series that have the labels", () => {
  const metrics = parseMetrics(
    '# HELP x y\nx_total{category="error",a="1"} 3\nx_total{category="error",a="2"} 4\nx_total{category="span"} 5\n',
  );
  expect(metrics.sum("x_total")).toBe(12);
  expect(metrics.sum("x_total", { category: "error" })).toBe(7);
  expect(metrics.sum("y_total")).toBe(0);
});
