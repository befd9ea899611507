import type { Finding, Recovery } from "../../domain/findings/finding.ts";

/** A finding on its way to its issue. */
export interface QueuedFinding {
  /** Grows with every finding, and is never given again. */
  position: number;
  finding: Finding;
}

/**
 * The queue of findings: problems that Culprit found itself and has not reported as issues yet. The job `report-findings` takes them out.
 *
 * Code that watches something calls `addFindings`. A store that decides in a transaction of its own (a trouble and the note that it is told
 * belong together) writes the finding within it, with the engine's function of the same name (`stores/sqlite/findings/findings.ts`). From
 * then on, the finding becomes an event, or a resolve, exactly once, even if the process dies.
 */
export interface FindingStore {
  addFindings(findings: readonly Finding[]): Promise<void>;
  /**
   * The oldest findings that can be reported now, in their order. A finding waits while an earlier one of its subject is in the queue,
   * so that a resolve never overtakes the event that it answers.
   */
  listFindings(limit: number): Promise<QueuedFinding[]>;
  /** The event of a trouble is in the journal, with this sequence. The trouble stays in the queue until `forgetApplied`. */
  noteReported(position: number, sequence: number): Promise<void>;
  /** Drops the troubles whose records state has applied: all below `appliedSequence`. Returns how many. */
  forgetApplied(appliedSequence: number): Promise<number>;
  /**
   * Drops the recovery from the queue, and resolves the issue of the first known hash, in one transaction. The activity says why, and
   * the outbox gets `resolved`. Only an unresolved issue changes. Returns the issue that was resolved.
   */
  endTrouble(position: number, recovery: Recovery, hashes: readonly string[]): Promise<{ issueId: number } | null>;
  /** Drops a finding that can never be reported. */
  dropFinding(position: number): Promise<void>;
}
