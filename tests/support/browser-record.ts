import { createHash } from "node:crypto";
import type { JournalRecord } from "../../app/journal/journal.ts";
import { encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import { type Browser, readRecorded } from "./grouping-fixtures.ts";

/** The journal record of an error that was recorded in a browser, as ingest writes it. */
export function toBrowserRecord(browser: Browser, name: string, sequence: number): JournalRecord {
  const eventId = createHash("md5").update(`${browser} ${name}`).digest("hex");
  const event = { ...readRecorded(browser, name), event_id: eventId };
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: BROWSERS_RECORDED_AT,
    eventId,
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}\n`),
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

/** Milliseconds since 1970 at which each of them was received. */
export const BROWSERS_RECORDED_AT = 1_767_323_046_000;
