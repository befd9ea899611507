import { statSync } from "node:fs";
import { join } from "node:path";
import { commitBatch } from "../app/digest/commit-batch.ts";
import { digestRecords } from "../app/digest/digest-records.ts";
import { toMappedBatch } from "../app/digest/mapped-batch.ts";
import { DAY_MS, toDay } from "../app/domain/time.ts";
import { encodeJournalEntry, type JournalEntry } from "../app/journal/journal-entry.ts";
import { BULK_PLACE } from "../app/journal/journals.ts";
import { openDuckdbEventStore } from "../app/stores/duckdb/open-duckdb-event-store.ts";
import type { EventStore } from "../app/stores/events/event-store.ts";
import { openPayloadFiles } from "../app/stores/files/open-payload-files.ts";
import type { PayloadStore } from "../app/stores/payload-store.ts";
import { makeSpanEnvelope, type SpanForm } from "./make-spans.ts";
import { createRandom } from "./random.ts";

/** Spans of one commit, as when 20,000 come in a second. */
const BATCH_SPANS = Number(process.env.BATCH_SPANS ?? 2000);
/** Since noon. Sums are by minute, and what they take must not depend on how quick the machine is. */
const SPANS_PER_MS = 1;
const JOURNAL = "0".repeat(16);

export interface StoredSpans {
  events: EventStore;
  payloads: PayloadStore;
  path: string;
  /** On which the spans came, since 1970. */
  day: number;
  /** Of the database before the first span. */
  emptyBytes: number;
  spans: number;
  sentBytes: number;
  /** Processor time of the two stages, in milliseconds. */
  mapMs: number;
  commitMs: number;
}

/** Spans through the digest's stages in this process, over the real stores. Payloads are in `payloads` beside the database. */
export async function storeSpans(
  dir: string,
  form: SpanForm,
  spanCount: number,
  afterBatch?: (
    at: Pick<StoredSpans, "events" | "payloads" | "path" | "day" | "emptyBytes" | "spans"> & { batchSpans: number },
  ) => Promise<void>,
): Promise<StoredSpans> {
  const path = join(dir, "events.duckdb");
  const folder = { id: "f".repeat(32), statePath: join(dir, "state.sqlite"), hasStored: false, journals: [] };
  const events = await openDuckdbEventStore({ path, tempDir: join(dir, "temp"), folder });
  const emptyBytes = statSync(path).size;
  const payloads = await openPayloadFiles({ dir: join(dir, "payloads") });
  const state = {
    batches: {
      appliedSequence: async () => 0,
      listLastFiltered: async () => new Set<string>(),
      applyBatch: async () => [],
    },
  };
  const random = createRandom(7);
  const day = toDay(Date.now()) - 1;
  let [spans, mapMs, commitMs, sentBytes] = [0, 0, 0, 0];
  let sequence: number = BULK_PLACE.firstSequence;
  while (spans < spanCount) {
    const records = [];
    const at = ((day + 0.5) * DAY_MS + spans / SPANS_PER_MS) / 1000;
    const before = spans;
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
    const applied = { state: BULK_PLACE.firstSequence, events: BULK_PLACE.firstSequence };
    await commitBatch({ events, payloads, state }, batch, { journalId: JOURNAL, upTo: sequence, applied });
    commitMs += cpuMs() - began;
    await afterBatch?.({ events, payloads, path, day, emptyBytes, spans, batchSpans: spans - before });
  }
  return { events, payloads, path, day, emptyBytes, spans, sentBytes, mapMs, commitMs };
}

function toEntry(body: Uint8Array<ArrayBuffer>, at: number): JournalEntry {
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

export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
