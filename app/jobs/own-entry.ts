import { type EnvelopeEntry, encodeJournalEntry } from "../journal/journal-entry.ts";

interface OwnItem {
  projectId: number;
  receivedAt: number;
  /** 32 hex characters; null: the item has no id. */
  eventId: string | null;
  /** As what Culprit itself counts it. */
  as: Pick<EnvelopeEntry, "isFinding" | "isCheck">;
  header: Record<string, unknown>;
  payload: unknown;
}

/** A journal entry with one item of Culprit's own: it goes the way of what SDKs send. */
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
