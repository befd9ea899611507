import { join } from "node:path";
import type { JournalRecord } from "../../app/journal/journal.ts";
import { encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import { openDuckdbEventStore } from "../../app/stores/duckdb/open-duckdb-event-store.ts";
import { openPayloadFiles } from "../../app/stores/files/open-payload-files.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";

export const SIGNAL_JOURNAL = "journal-of-signals";
const NOW = Date.UTC(2026, 5, 1, 12);
const RECORDS = 12;

const hex = (value: number, length: number) => value.toString(16).padStart(length, "0");

/** By turns an event with an attachment and a transaction of two spans, each with two lines of a log. Every third event repeats the one before. */
export function makeSignalRecords(): JournalRecord[] {
  return Array.from({ length: RECORDS }, (_, sequence) => {
    const number = sequence % 6 === 4 ? sequence - 2 : sequence;
    const eventId = hex(number + 1, 32);
    const traceId = hex(number + 1_000, 32);
    const event = {
      event_id: eventId,
      timestamp: NOW / 1000,
      platform: "node",
      environment: `env-${sequence % 3}`,
      exception: { values: [{ type: `Error${number % 2}`, value: "x" }] },
    };
    const span = {
      trace_id: traceId,
      span_id: hex(number * 2 + 2, 16),
      parent_span_id: hex(number * 2 + 1, 16),
      op: "db",
      start_timestamp: NOW / 1000 - 1,
      timestamp: NOW / 1000,
    };
    const transaction = {
      event_id: hex(number + 5_000, 32),
      type: "transaction",
      transaction: "/orders",
      start_timestamp: NOW / 1000 - 2,
      timestamp: NOW / 1000,
      contexts: { trace: { trace_id: traceId, span_id: hex(number * 2 + 1, 16), op: "http.server" } },
      spans: [span],
    };
    const lines = [0, 1].map((line) => ({
      timestamp: NOW / 1000,
      trace_id: traceId,
      level: "info",
      body: `line ${line} of ${sequence}`,
    }));
    const first: Array<[header: object, payload: string]> =
      sequence % 2 === 1
        ? [[{ type: "transaction" }, JSON.stringify(transaction)]]
        : [
            [{ type: "event" }, JSON.stringify(event)],
            [{ type: "attachment", length: 4, filename: "a.txt" }, `a${hex(number, 3)}`],
          ];
    const items: typeof first = [
      ...first,
      [
        { type: "log", item_count: 2, content_type: "application/vnd.sentry.items.log+json" },
        JSON.stringify({ items: lines }),
      ],
    ];
    const body = Buffer.from(
      `{}\n${items.map(([header, payload]) => `${JSON.stringify(header)}\n${payload}\n`).join("")}`,
    );
    const bytes = encodeJournalEntry({
      kind: "envelope",
      projectId: 1,
      keyId: 1,
      receivedAt: NOW + sequence,
      eventId: sequence % 2 === 1 ? transaction.event_id : eventId,
      clientAddress: null,
      userAgent: null,
      client: null,
      dropped: [],
      body,
    });
    return { sequence, bytes: Buffer.concat(bytes) };
  });
}

/** The stores of a folder, one of which may have been lost. */
export async function openSignalFolder(dir: string) {
  const state = await openSqliteState({ path: join(dir, "state.sqlite") });
  if ((await state.batches.appliedSequence(SIGNAL_JOURNAL)) === 0) {
    await state.people.setUp({
      organization: { slug: "default", name: "Default" },
      owner: { email: "a@example.com", name: "Ada", passwordHash: "x" },
      project: { slug: "shop", name: "Shop", platform: "node" },
      at: NOW,
    });
  }
  const hasStored = (await state.batches.appliedSequence(SIGNAL_JOURNAL)) > 0;
  const events = await openDuckdbEventStore({
    path: join(dir, "events.duckdb"),
    tempDir: join(dir, "temp"),
    folder: { id: "00112233445566778899aabbccddeeff", statePath: join(dir, "state.sqlite"), hasStored, journals: [] },
  });
  const payloads = await openPayloadFiles({ dir: join(dir, "payloads") });
  return { state, events, payloads };
}
