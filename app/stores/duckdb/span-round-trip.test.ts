import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { digestRecords } from "../../digest/digest-records.ts";
import { encodeJournalEntry } from "../../journal/journal-entry.ts";
import { parseEnvelope } from "../../protocol/parse-envelope.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import { openStore, projects } from "../event-store-contract/fixture.ts";
import { listWholeLogs } from "../event-store-contract/span-fixture.ts";
import type { LogRow } from "../events/logs.ts";
import { toRowsByTable } from "../events/rows.ts";
import { toSentLog } from "../events/sent-log.ts";
import { toSentSpan } from "../events/sent-span.ts";
import type { SpanRow } from "../events/spans.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";

// What SDKs sent is read back from the rows of a real database: nothing of it is kept anywhere else.

type Json = Record<string, unknown>;

const RECEIVED_AT = Date.parse("2026-11-23T01:10:50Z");

function envelope(name: string): Buffer {
  return readFileSync(new URL(`../../../tests/fixtures/envelopes/${name}.txt`, import.meta.url));
}

function payloadOf(body: Buffer, at = 0): Json {
  const payload = parseEnvelope(body, LIMITS).items[at]?.payload ?? new Uint8Array();
  return JSON.parse(Buffer.from(payload).toString("utf8"));
}

const LIMITS = {
  maxHeaderBytes: 1e6,
  maxItemHeaderBytes: 1e6,
  maxItemHeadersBytes: 1e6,
  maxItems: 100,
  maxBlankBytes: 1e6,
};

function digest(body: Buffer, receivedAt = RECEIVED_AT) {
  const bytes = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt,
    eventId: "434d835d23f44052a8c1b2f32046b896",
    clientAddress: "192.0.2.7",
    userAgent: "test",
    client: null,
    dropped: [],
    body,
  });
  return digestRecords([{ sequence: 5, bytes: Buffer.concat(bytes) }]);
}

/** Written, and read again. */
async function store(body: Buffer, traceId: string, receivedAt?: number) {
  await using store = await openStore(createDuckdbEventDatabase);
  const digested = digest(body, receivedAt);
  const rows = toRowsByTable(digested.items).filter(({ table }) => table !== "items");
  await store.append({ journalId: "00112233445566aa", upTo: 6, rows, leftOut: [], environments: [] });
  const filter = { projectIds: projects(1), traceId, limit: 1_000 };
  const listed = await store.listSpans(filter);
  // Those of a list have only the beginnings of long texts.
  const whole = await Promise.all(listed.map((_, ordinal) => store.readSpan(filter, ordinal)));
  const spans = listed.map(({ spanId }) => whole.find((each) => each?.spanId === spanId) as SpanRow);
  return { ...digested, spans, logs: await listWholeLogs(store, traceId) };
}

function byId(spans: readonly Json[]): Json[] {
  return spans.toSorted((a, b) => String(a.span_id).localeCompare(String(b.span_id)));
}

/** Sub-microseconds are not kept. */
function inMicroseconds(sent: Json): Json {
  const rounded = { ...sent };
  for (const key of ["start_timestamp", "end_timestamp", "timestamp"])
    if (typeof rounded[key] === "number") rounded[key] = Math.round(rounded[key] * 1e6) / 1e6;
  return rounded;
}

describe("spans and logs as rows", () => {
  test("give back the spans of a transaction, and the payload has the rest of it", async () => {
    const body = envelope("node-transaction");
    const { spans: sent, ...event } = payloadOf(body) as { spans: Json[] } & Json;
    const { trace } = event.contexts as Record<string, Json>;
    const { items, spans, outcomes } = await store(body, String(trace?.trace_id));

    expect(outcomes).toEqual([]);
    const [root, ...children] = spans as [SpanRow, ...SpanRow[]];
    expect(byId(children.map(toSentSpan))).toEqual(
      byId(sent.map((span) => ({ ...inMicroseconds(span), segment_id: trace?.span_id }))),
    );
    const payload = items[0]?.payload ?? new Uint8Array();
    expect(JSON.parse(Buffer.from(decodeStoredItem(payload).payload).toString("utf8"))).toEqual(event);
    expect(root).toMatchObject({
      form: "root",
      category: "transaction",
      isSegment: true,
      name: "POST /checkout",
      op: "http.server",
      status: "internal_error",
      sampleRate: 0.999,
      release: "shop@2.3.1",
      sdkName: "sentry.javascript.node",
    });
    expect(children.every(({ segment, release }) => segment === "POST /checkout" && release === "shop@2.3.1")).toBe(
      true,
    );
    expect(children.map(({ nameGroup }) => nameGroup)).toContain("SELECT * FROM carts WHERE id = ?");
  });

  test("give back streamed spans", async () => {
    const body = envelope("node-streamed-spans");
    const sent = payloadOf(body).items as Json[];
    const { spans, items } = await store(body, String(sent[0]?.trace_id));
    expect(byId(spans.map(toSentSpan))).toEqual(byId(sent.map(inMicroseconds)));
    expect(items).toMatchObject([{ payload: null, outcome: { category: "span", quantity: sent.length } }]);
    expect(JSON.parse(spans[0]?.resource ?? "")).toMatchObject({
      sdk: { name: "sentry.javascript.node" },
      request: { clientAddress: "192.0.2.7", userAgent: "test" },
      container: { version: 2 },
    });
  });

  test("give back many that came together, whatever columns they leave empty", async () => {
    const [sent = {}] = payloadOf(envelope("node-streamed-spans")).items as Json[];
    const traceId = String(sent.trace_id);
    const plain = { ...sent, attributes: { "user.id": { type: "string", value: "7" } } };
    const full = {
      "db.system.name": { type: "string", value: "postgresql" },
      "http.response.status_code": { type: "integer", value: 404 },
      "cache.hit": { type: "boolean", value: true },
    };
    for (const last of [plain, { ...sent, attributes: full }]) {
      const items = Array.from({ length: 600 }, (_, index) => ({
        ...(index < 599 ? plain : last),
        span_id: (index + 1).toString(16).padStart(16, "0"),
      }));
      const body = JSON.stringify({ version: 2, items });
      const header = { type: "span", item_count: 600, content_type: "application/vnd.sentry.items.span.v2+json" };
      const digested = digest(Buffer.from(`{}\n${JSON.stringify(header)}\n${body}\n`));
      await using store = await openStore(createDuckdbEventDatabase);
      const rows = toRowsByTable(digested.items);
      await store.append({ journalId: "00112233445566aa", upTo: 6, rows, leftOut: [], environments: [] });
      const spans = await store.listSpans({ projectIds: projects(1), traceId, limit: 1_000 });
      expect(byId(spans.map(toSentSpan))).toEqual(items.map(inMicroseconds));
    }
  });

  test("give back a span that came alone, with what its envelope says where it says nothing", async () => {
    const body = envelope("browser-span");
    const { spans } = await store(body, "b7adbfac9da54dc88cd80e21e722c0b4");
    const sent = payloadOf(body);
    expect(spans.map(toSentSpan)).toEqual([
      { ...sent, trace_id: "b7adbfac9da54dc88cd80e21e722c0b4", parent_span_id: "a3c717bd70fe1021" },
    ]);
    expect(spans).toMatchObject([{ release: "shop@2.3.1", segment: "/checkout/:id", sampleRate: 0.25 }]);
  });

  test("give back logs", async () => {
    const body = envelope("node-logs");
    const sent = payloadOf(body).items as Json[];
    const { logs, items } = await store(body, String(sent[0]?.trace_id));
    expect(logs.map(toSentLog)).toEqual(sent.map(inMicroseconds));
    expect(logs).toMatchObject([
      { severity: 9, level: "info", userId: "4711", serverAddress: "web-1", tieBreaker: 0 },
      { severity: 17, template: "payment of %s failed after %s tries" },
    ] satisfies Array<Partial<LogRow>>);
    expect(items).toMatchObject([{ payload: null, outcome: { category: "log_item", quantity: 2 } }]);
  });

  test("of a clock that is wrong are moved as a whole, and give back the times that were sent", async () => {
    const body = envelope("node-streamed-spans");
    const sent = payloadOf(body).items as Json[];
    const later = RECEIVED_AT + 3 * 86_400_000;
    const { spans } = await store(body, String(sent[0]?.trace_id), later);
    expect(byId(spans.map(toSentSpan))).toEqual(byId(sent.map(inMicroseconds)));
    for (const { startedUs } of spans) expect(Math.abs(later - startedUs / 1000)).toBeLessThan(60_000);
  });
});
