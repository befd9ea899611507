import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { IssueAssignment, StateBatch } from "../../state/batch-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { findMergeTarget } from "../reprocessing/merged-issues.ts";

/** The header is the sequence that offsets count from. */
const HEADER_BYTES = 8;
/** Bytes of each event: offset of the record's sequence (4), hash of the event id (4), issue (6). */
const ENTRY_BYTES = 14;

interface AssignedEvent {
  /** Sequence of its record. */
  sequence: number;
  eventHash: number;
  issueId: number;
}

/**
 * The issue of each event in a journal's last batches, for events that are read again after a crash. A newer source map or a newer version
 * may give other keys to the same records, and an event must not be stored with another issue than the one that counted it.
 */
class LastAssignments {
  readonly #issueIds = new Map<string, number>();
  readonly entries: AssignedEvent[] = [];

  static read(db: SqliteConnection, journalId: string): LastAssignments {
    const assignments = new LastAssignments();
    const row = db.get<{ assignments: Uint8Array }>(
      "SELECT assignments FROM last_assignments WHERE journal_id = :journalId",
      { journalId },
    );
    if (row === undefined) return assignments;
    const bytes = Buffer.from(row.assignments.buffer, row.assignments.byteOffset, row.assignments.byteLength);
    const base = Number(bytes.readBigUInt64LE(0));
    for (let at = HEADER_BYTES; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      const [sequence, eventHash] = [base + bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
      const issueId = bytes.readUIntLE(at + 8, 6);
      assignments.entries.push({ sequence, eventHash, issueId });
      assignments.#issueIds.set(toKey(sequence, eventHash), issueId);
    }
    return assignments;
  }

  find({ sequence, eventId }: IssueOccurrence): number | null {
    return this.#issueIds.get(toKey(sequence, hashOf(eventId))) ?? null;
  }
}

/** The assignments of the journal's last batches. They are read when the first record is found again. */
export class EarlierAssignments {
  readonly #db: SqliteConnection;
  readonly #journalId: string;
  #last: LastAssignments | null = null;
  /** The present issue by issue: the issue itself, or the one into which it was merged. Null: it no longer exists. */
  readonly #current = new Map<number, number | null>();

  constructor(db: SqliteConnection, journalId: string) {
    this.#db = db;
    this.#journalId = journalId;
  }

  find(occurrence: IssueOccurrence): number | null {
    this.#last ??= LastAssignments.read(this.#db, this.#journalId);
    const issueId = this.#last.find(occurrence);
    if (issueId === null) return null;
    let current = this.#current.get(issueId);
    if (current === undefined) {
      const exists = this.#db.get("SELECT 1 FROM issues WHERE id = :issueId", { issueId }) !== undefined;
      current = exists ? issueId : findMergeTarget(this.#db, issueId);
      this.#current.set(issueId, current);
    }
    return current;
  }
}

/**
 * Replaces the saved assignments of earlier batches, within a write transaction.
 *
 * @param storedUpTo see `StateBatch`
 */
export function saveLastAssignments(
  db: SqliteConnection,
  { journalId, occurrences, storedUpTo }: Pick<StateBatch, "journalId" | "occurrences" | "storedUpTo">,
  assignments: readonly IssueAssignment[],
): void {
  const events = assignments.map(({ issueId }, index): AssignedEvent => {
    const { sequence, eventId } = occurrences[index] as IssueOccurrence;
    return { sequence, eventHash: hashOf(eventId), issueId };
  });
  if (storedUpTo !== undefined) {
    const own = new Set(events.map(({ sequence }) => sequence));
    for (const event of LastAssignments.read(db, journalId).entries)
      if (event.sequence >= storedUpTo && !own.has(event.sequence)) events.push(event);
  }
  db.run(
    `INSERT INTO last_assignments (journal_id, assignments) VALUES (:journalId, :bytes)
     ON CONFLICT DO UPDATE SET assignments = excluded.assignments`,
    { journalId, bytes: encode(events) },
  );
}

function encode(events: readonly AssignedEvent[]): Buffer {
  const base = events.reduce((least, { sequence }) => Math.min(least, sequence), Number.MAX_SAFE_INTEGER);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + events.length * ENTRY_BYTES);
  bytes.writeBigUInt64LE(BigInt(base), 0);
  let at = HEADER_BYTES;
  for (const { sequence, eventHash, issueId } of events) {
    bytes.writeUInt32LE(sequence - base, at);
    bytes.writeUInt32LE(eventHash, at + 4);
    bytes.writeUIntLE(issueId, at + 8, 6);
    at += ENTRY_BYTES;
  }
  return bytes;
}

function toKey(sequence: number, eventHash: number): string {
  return `${sequence} ${eventHash}`;
}

/** FNV-1a of 32 bits. Only the few events of one record must have different hashes. */
function hashOf(eventId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < eventId.length; index++) {
    hash = Math.imul(hash ^ eventId.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
