/**
 * The progress of the background pass that maps stored events again after a source map that they lacked was uploaded. It describes the
 * present run, or the last one. Instants are milliseconds since 1970.
 */
export interface SourceMapPass {
  isRunning: boolean;
  /** Null: there was none since the server started. */
  startedAt: number | null;
  /** Null while it runs. */
  endedAt: number | null;
  /** Issues whose events are looked at, and how many of them are done. */
  issueCount: number;
  doneIssueCount: number;
  /** Stored events that were looked at, and how many of them have other frames now. */
  doneEventCount: number;
  mappedEventCount: number;
  /** Issues that went into another one, because their readable stacks are the same. */
  joinedIssueCount: number;
  /** The error that stopped the last run, in words. Null: there was none. */
  problem: string | null;
}
