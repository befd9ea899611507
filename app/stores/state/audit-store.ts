import type { AuditActor, AuditCheck, AuditEntry, AuditNote } from "../../domain/audit/audit-entry.ts";
import type { Scope } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";

export interface AuditQuery {
  /** Of `AUDIT_VOCABULARY`. */
  where: Condition;
  /** Entries before this one; null: from the newest. */
  before: number | null;
  limit: number;
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  /** Where to go on; null: there are no older entries. It may stand beside few entries, when the search took its time. */
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
  /** Adds an entry by itself, for what no store writes. */
  note(note: AuditNote): Promise<void>;
  /** Drops entries older than the instant, and those beyond the number that is kept. Gives how many; the rest stays checkable. */
  dropEntries(before: number, kept: number): Promise<number>;
}
