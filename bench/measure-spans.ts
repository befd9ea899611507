import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitBatch } from "../app/digest/commit-batch.ts";
import { digestRecords } from "../app/digest/digest-records.ts";
import { toMappedBatch } from "../app/digest/mapped-batch.ts";
import { encodeJournalEntry, type JournalEntry } from "../app/journal/journal-entry.ts";
import { openDuckdbEventStore } from "../app/stores/duckdb/open-duckdb-event-store.ts";
import { openPayloadFiles } from "../app/stores/files/open-payload-files.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { makeSpanEnvelope } from "./make-spans.ts";
import type { Measurement } from "./measurement.ts";
import { createRandom } from "./random.ts";

const GOAL_BYTES = 60;
/** Spans of one commit, as when 20,000 come in a second. */
const BATCH_SPANS = 2_000;
const JOURNAL = "0".repeat(16);

/** What a span costs: the digest's stages in this process over the real stores, and the bytes that it leaves. */
export const measureSpans: Measurement = {
  name: "spans",
  what: "bytes on disk per span by part, and processor time of the digest, for transactions and streamed spans",
  async run(bench) {
    const figures: Figure[] = [];
    for (const form of ["transaction", "container"] as const) {
      const dir = mkdtempSync(join(tmpdir(), "culprit-bench-"));
      try {
        const spans = bench.isQuick ? 60_000 : 1_000_000;
        bench.say(`spans: storing ${formatNumber(spans)}, each form`);
        figures.push(...(await measureForm(dir, form, spans)));
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    }
    return { figures, cpu: null };
  },
};

async function measureForm(dir: string, form: "transaction" | "container", spanCount: number): Promise<Figure[]> {
  const eventsPath = join(dir, "events.duckdb");
  const folder = { id: "f".repeat(32), statePath: join(dir, "state.sqlite"), hasStored: false };
  const events = await openDuckdbEventStore({ path: eventsPath, tempDir: join(dir, "temp"), folder });
  const payloads = await openPayloadFiles({ dir: join(dir, "payloads") });
  const stores = {
    events,
    payloads,
    state: { batches: { appliedSequence: async () => 0, applyBatch: async () => [] } },
  };
  const emptyBytes = statSync(eventsPath).size;
  const random = createRandom(7);
  let [spans, sequence, mapMs, commitMs, sentBytes] = [0, 0, 0, 0, 0];
  while (spans < spanCount) {
    const records = [];
    const at = Date.now() / 1000 - 1;
    for (let inBatch = 0; inBatch < BATCH_SPANS; ) {
      const envelope = makeSpanEnvelope(random, form, at);
      inBatch += envelope.spans;
      spans += envelope.spans;
      sentBytes += envelope.body.length;
      records.push({ sequence: sequence++, bytes: Buffer.concat(encodeJournalEntry(toEntry(envelope.body, at))) });
    }
    let began = cpuMs();
    const batch = toMappedBatch(digestRecords(records));
    mapMs += cpuMs() - began;
    began = cpuMs();
    await commitBatch(stores, batch, { journalId: JOURNAL, upTo: sequence, applied: { state: 0, events: 0 } });
    commitMs += cpuMs() - began;
  }
  await payloads.close();
  await events.checkpoint();
  const rows = statSync(eventsPath).size - emptyBytes;
  const began = cpuMs();
  while (await events.rollUp(Number.POSITIVE_INFINITY));
  const sumMs = cpuMs() - began;
  await events.close();
  const sums = statSync(eventsPath).size - emptyBytes - rows;
  const files = readdirSync(join(dir, "payloads"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const of = (name: string, what: string, value: number, unit: Figure["unit"]): Figure => ({
    name: `spans.${form}.${name}`,
    what,
    value: value / spans,
    unit,
    better: "lower",
  });
  return [
    {
      ...of("bytes", `on disk per span of a ${form}`, rows + sums + files, "bytes"),
      goal: GOAL_BYTES,
      note: `${formatNumber(sentBytes / spans)} bytes sent`,
    },
    of("rows", "  rows in DuckDB", rows, "bytes"),
    of("sums", "  sums, traces and values of attributes in DuckDB", sums, "bytes"),
    of("files", form === "transaction" ? "  row log, and payloads of transactions" : "  row log", files, "bytes"),
    of("map", "  processor time, map stage", mapMs * 1000, "µs"),
    of("commit", "  processor time, commit stage with all threads", commitMs * 1000, "µs"),
    of("sum", "  processor time of the sums", sumMs * 1000, "µs"),
  ];
}

function toEntry(body: Uint8Array, at: number): JournalEntry {
  return {
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: Math.round((at + 1) * 1000),
    eventId: null,
    clientAddress: "192.0.2.1",
    userAgent: "sentry.javascript.node/10.75.2",
    client: null,
    dropped: [],
    body,
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
