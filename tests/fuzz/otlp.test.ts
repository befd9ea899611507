import { expect, test } from "vitest";
import { digestRecords } from "../../app/digest/digest-records.ts";
import { wrapInEnvelope } from "../../app/ingest/reframe-envelope.ts";
import { encodeJournalEntry, type JournalEntry } from "../../app/journal/journal-entry.ts";
import { glanceAtOtlp, readOtlpRequest } from "../../app/protocol/otlp/read-request.ts";
import { encodeOtlp } from "../support/encode-otlp.ts";
import { attributes, makeOtlpLogs, makeOtlpMetrics, makeOtlpTraces } from "../support/make-otlp.ts";
import { EVENT_ID } from "./fuzz-corpus.ts";
import { type Chance, createFuzzRun } from "./fuzz-run.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateJson } from "./mutate-json.ts";

const run = createFuzzRun("OTLP", 0.03);
const AT = 1_767_000_000_000;

/** Attributes of every kind, deep ones too, and keys that mean something to JavaScript, JSON pointers and tags. */
const HOSTILE = [
  ...attributes({ __proto__: "a", constructor: "b", "a/b~c": 1, "": "empty", "a\nb=c": true, "exception.type": "X" }),
  { key: "list", value: { arrayValue: { values: [{ stringValue: "a" }, { kvlistValue: { values: [] } }] } } },
  { key: "deep", value: { kvlistValue: { values: attributes({ "x.y": "z" }) } } },
  { key: "bytes", value: { bytesValue: "AAEC" } },
  { key: "double", value: { doubleValue: 1e308 } },
];
const EXCEPTION = attributes({
  "exception.type": "ValueError",
  "exception.message": "no\u0000",
  "exception.stacktrace": 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no',
});
const REQUESTS = {
  traces: makeOtlpTraces(AT, [], {
    attributes: HOSTILE,
    events: [{ timeUnixNano: `${AT}000000`, name: "exception", attributes: EXCEPTION }],
    links: [{ traceId: "1".repeat(32), spanId: "2".repeat(16) }],
  }),
  logs: makeOtlpLogs([
    { timeUnixNano: `${AT}000000`, severityNumber: 17, body: { stringValue: "hello" }, attributes: HOSTILE },
    { observedTimeUnixNano: `${AT}000000`, attributes: EXCEPTION },
  ]),
  metrics: makeOtlpMetrics(AT),
};
type Signal = keyof typeof REQUESTS;

function makeBody(signal: Signal, isJson: boolean, chance: Chance): Buffer {
  if (!isJson) return mutateBytes(encodeOtlp(signal, REQUESTS[signal]), chance);
  if (chance.oneIn(3)) return mutateBytes(Buffer.from(JSON.stringify(REQUESTS[signal])), chance);
  return Buffer.from(JSON.stringify(mutateJson(structuredClone(REQUESTS[signal]), chance)));
}

/** In the text of a cell, or in that of JSON in it. */
function requireStorable(cell: unknown): void {
  if (typeof cell === "string" && (!cell.isWellFormed() || cell.includes("\0")))
    throw new Error(`no store keeps ${JSON.stringify(cell.slice(-50))} as it is`);
  if (typeof cell === "number" && Number.isNaN(cell)) throw new Error("a cell is no number");
}

test("mutated requests are refused whole, or each of their items comes to one end, and the sender hears the same", async () => {
  let readCount = 0;
  await run.each((chance, sequence) => {
    const signal = chance.pick<Signal>(["traces", "traces", "logs", "logs", "metrics"]);
    const isJson = chance.oneIn(2);
    const contentType = isJson ? "application/json" : "application/x-protobuf";
    const body = makeBody(signal, isJson, chance);
    const read = glanceAtOtlp(body, signal, contentType);
    if (!read.ok || read.glance.count === 0) return;
    const { count, refused } = read.glance;
    const header = { type: `otlp_${signal}`, content_type: contentType, item_count: count };
    const entry: JournalEntry = {
      kind: "envelope",
      projectId: 1,
      keyId: 1,
      receivedAt: AT,
      eventId: null,
      clientAddress: "192.0.2.1",
      userAgent: "OTel-OTLP-Exporter-JavaScript/0.200.0",
      client: null,
      dropped: [],
      body: wrapInEnvelope(EVENT_ID, header, body),
    };
    const { items, outcomes, setAside } = digestRecords([
      { sequence, bytes: Buffer.concat(encodeJournalEntry(entry)) },
    ]);
    if (setAside.length > 0) throw new Error(`set aside: ${setAside[0]?.reason}\n${body.subarray(0, 2000)}`);
    const category = { traces: "span", logs: "log_item", metrics: "trace_metric" }[signal];
    const lost = outcomes.filter((each) => each.category === category && each.outcome !== "accepted");
    const lostCount = lost.reduce((sum, { quantity }) => sum + quantity, 0);
    // A glance at protobuf passes over attributes: what is broken in them is found by the digest, for all of the request.
    const isReadable = readOtlpRequest(body, signal, contentType).ok;
    const saidCount = isReadable ? [...refused.values()].reduce((sum, each) => sum + each, 0) : count;
    // A full reading takes NUL out of keys, so that more of them are known than a glance knew.
    const hasRepairedKeys = isJson && /\\u0000[^"]*":/.test(body.toString());
    if (lostCount !== saidCount && !hasRepairedKeys)
      throw new Error(
        `said ${JSON.stringify([...refused])} of ${count}, was ${JSON.stringify(lost)} of ${body.subarray(0, 3000)}`,
      );
    for (const { rows } of items) for (const { cells } of rows) for (const cell of cells) requireStorable(cell);
    for (const key in {}) throw new Error(`${key} was added to the prototype of every object`);
    readCount++;
  });
  if (process.env.FUZZ_CASE === undefined) expect(readCount).toBeGreaterThan(run.count / 10);
});
