import type { AuditActor, AuditCheck, AuditEntry, AuditNote } from "../../domain/audit/audit-entry.ts";
import type { Scope } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";

export interface AuditQuery {
  /** A condition in `AUDIT_VOCABULARY`. */
  where: Condition;
  /** Entries before this one; null: from the newest. */
  before: number | null;
  limit: number;
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  /** Where older entries begin. Null: there are none. If the search took too long, a page may have few entries and still a next one. */
  nextBefore: number | null;
}

/** The audit log of the organization, for those who may read it. */
export interface AuditReader {
  /** Looks for a third of a second at most. */
  listEntries(scope: Scope, query: AuditQuery): Promise<AuditPage>;
  /** Walks all entries, with pauses. */
  checkEntries(scope: Scope): Promise<AuditCheck>;
}

/**
 * The audit log: entries that are only added, each with the hash of the one before. Writes of other stores add theirs in their own
 * transaction.
 */
export interface AuditStore extends AuditReader {
  /** Runs `work`: changes that it makes, also later, are this actor's. */
  actAs<Result>(actor: AuditActor, work: () => Result): Result;
  /** Adds a single entry, for changes outside of the stores. */
  note(note: AuditNote): Promise<void>;
  /** Drops entries older than the instant, and entries beyond the number to keep. Returns how many. The rest can still be verified. */
  dropEntries(before: number, kept: number): Promise<number>;
}
