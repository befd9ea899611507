import { type EnvelopeEntry, encodeJournalEntry } from "../journal/journal-entry.ts";

interface OwnItem {
  projectId: number;
  receivedAt: number;
  /** 32 hex characters. Null: the item has no id. */
  eventId: string | null;
  /** As which of Culprit's own kinds of items it counts. */
  as: Pick<EnvelopeEntry, "isFinding" | "isCheck">;
  header: Record<string, unknown>;
  payload: unknown;
}

/** A journal entry with one item that Culprit makes itself. It is digested like items of SDKs. */
export function encodeOwnEntry({ projectId, receivedAt, eventId, as, header, payload }: OwnItem): Uint8Array[] {
  const lines = [eventId === null ? {} : { event_id: eventId }, header, payload];
  return encodeJournalEntry({
    kind: "envelope",
    projectId,
    keyId: 0,
    receivedAt,
    eventId,
    clientAddress: null,
    userAgent: null,
    client: null,
    ...as,
    dropped: [],
    body: Buffer.from(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`),
  });
}
