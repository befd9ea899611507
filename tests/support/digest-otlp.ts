import { digestRecords } from "../../app/digest/digest-records.ts";
import { wrapItem } from "../../app/ingest/reframe-envelope.ts";
import { encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import type { OtlpSignal } from "../../app/protocol/otlp/messages.ts";
import type { NewRow } from "../../app/stores/events/rows.ts";
import { encodeOtlp } from "./encode-otlp.ts";

const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json";

/** What the digest makes of a request. */
export function digestOtlp(
  signal: OtlpSignal,
  request: Record<string, unknown>,
  contentType: typeof PROTOBUF | typeof JSON_TYPE = JSON_TYPE,
) {
  const payload = contentType === JSON_TYPE ? Buffer.from(JSON.stringify(request)) : encodeOtlp(signal, request);
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: Date.UTC(2026, 5, 1, 12),
    eventId: null,
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body: wrapItem({ type: `otlp_${signal}`, content_type: contentType, item_count: 1 }, payload),
  });
  return digestRecords([{ sequence: 7, bytes: Buffer.concat(parts) }]);
}

/** The cells of a row by the names of their columns; JSON is read. */
export function readCells({ table, cells }: NewRow): Record<string, unknown> {
  return Object.fromEntries(
    table.columns.map(({ name }, at) => {
      const cell = cells[at];
      return [name, typeof cell === "string" && cell.startsWith("{") ? JSON.parse(cell) : cell];
    }),
  );
}
