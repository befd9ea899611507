import type { OutcomeCount } from "../domain/outcome.ts";

/**
 * A record that ingest writes and the digest reads: an accepted request, or counts of refused items. The body of an accepted request is
 * always an envelope, decompressed and framed by the protocol: ingest wraps store and security requests into one.
 */
export type JournalEntry = EnvelopeEntry | OutcomesEntry;

export interface EnvelopeEntry {
  kind: "envelope";
  projectId: number;
  /** 0: no key, because Culprit itself wrote it. */
  keyId: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** The id that the sender was told. Null: the envelope has no item with an event id. */
  eventId: string | null;
  clientAddress: string | null;
  userAgent: string | null;
  /** Client hints of the request (`sec-ch-ua…`), lower-case names; absent when none came. */
  clientHints?: Record<string, string>;
  /** `sentry_client` of the credentials, like `sentry.python/2.1.0`. */
  client: string | null;
  /** Items of the same request that ingest left out of the body. They are counted once, together with the rest. */
  dropped: OutcomeCount[];
  /**
   * The sender was told that the whole request is refused, because its event was, and may report these items as lost, too. Absent: no. See
   * `OutcomeCount.canBeReported`.
   */
  canBeReported?: true;
  /**
   * Culprit's own event (domain/findings). The project's filters do not apply to it, and the ledger counts it separately. Absent: a client
   * sent it.
   */
  isFinding?: true;
  /** The span of one of Culprit's own checks (domain/uptime). The ledger counts it separately. Absent: a client sent it. */
  isCheck?: true;
  body: Uint8Array;
}

export interface OutcomesEntry {
  kind: "outcomes";
  receivedAt: number;
  outcomes: OutcomeCount[];
}

const KIND = { envelope: 1, outcomes: 2 } as const;

/** Encodes an entry: one byte for its kind, four bytes (little endian) for the length of the header, the header as JSON, the body. */
export function encodeJournalEntry(entry: JournalEntry): Uint8Array[] {
  const body = entry.kind === "envelope" ? entry.body : new Uint8Array(0);
  const header = Buffer.from(JSON.stringify({ ...entry, body: undefined, kind: undefined }), "utf8");
  const prefix = Buffer.allocUnsafe(5);
  prefix[0] = KIND[entry.kind];
  prefix.writeUInt32LE(header.length, 1);
  return [prefix, header, body];
}

/** @throws {Error} if the bytes are not an entry. The record is then set aside and never retried. */
export function decodeJournalEntry(bytes: Uint8Array): JournalEntry {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 5) throw new Error("journal entry is shorter than its prefix");
  const headerEnd = 5 + buffer.readUInt32LE(1);
  if (headerEnd > buffer.length) throw new Error("journal entry is shorter than its header");
  const header = JSON.parse(buffer.toString("utf8", 5, headerEnd));
  if (buffer[0] === KIND.outcomes) return { ...header, kind: "outcomes" };
  if (buffer[0] === KIND.envelope) return { ...header, kind: "envelope", body: buffer.subarray(headerEnd) };
  throw new Error(`journal entry has the unknown kind ${buffer[0]}`);
}
