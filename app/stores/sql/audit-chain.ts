import { createHash } from "node:crypto";

/** A row of `audit_entries`, as every engine gives it. */
export interface AuditRow {
  id: number;
  at: number;
  actorKind: string;
  actorId: number | null;
  actorName: string;
  address: string | null;
  action: string;
  targetKind: string;
  targetId: number | null;
  targetName: string;
  /** JSON, as it is stored: its bytes count. */
  changes: string;
  hash: string;
}

/** Both ends of the chain, as `audit_ends` has them. */
export interface AuditEnds {
  lastId: number;
  lastHash: string;
  droppedId: number;
  droppedHash: string;
}

/** SHA-256 over the hash of the entry before and every field of this one, as JSON in a fixed order. */
export function hashEntry(previousHash: string, row: Omit<AuditRow, "hash">): string {
  const fields = [
    previousHash,
    row.id,
    row.at,
    row.actorKind,
    row.actorId,
    row.actorName,
    row.address,
    row.action,
    row.targetKind,
    row.targetId,
    row.targetName,
    row.changes,
  ];
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}

export interface BrokenEntry {
  id: number;
  reason: string;
}

/** Walks along entries in the order of their ids. Remembers the last one that fits. */
export class ChainWalk {
  #id: number;
  #hash: string;
  readonly #ends: AuditEnds;
  count = 0;

  constructor(ends: AuditEnds) {
    this.#ends = ends;
    this.#id = ends.droppedId;
    this.#hash = ends.droppedHash;
  }

  /** Null: the entry fits. */
  step(row: AuditRow): BrokenEntry | null {
    if (row.id !== this.#id + 1) return { id: this.#id + 1, reason: "it is missing" };
    if (hashEntry(this.#hash, row) !== row.hash)
      return { id: row.id, reason: "its hash does not fit to its content and the entry before" };
    this.#id = row.id;
    this.#hash = row.hash;
    this.count += 1;
    return null;
  }

  /** After the last entry. Null: nothing is missing at the end. */
  end(): BrokenEntry | null {
    if (this.#id < this.#ends.lastId) return { id: this.#id + 1, reason: "it is missing" };
    if (this.#id > this.#ends.lastId) return { id: this.#ends.lastId + 1, reason: "it was added past the log" };
    return this.#hash === this.#ends.lastHash
      ? null
      : { id: this.#id, reason: "its hash is not the one noted for the newest entry" };
  }
}
