/** Archived issues that come back when their time is over. Events bring back the others: see BatchStore. */
export interface ArchiveStore {
  /**
   * Reopens archived issues whose time is over, at most `limit`, those that wait longest first. Writes it to their activity and to the
   * outbox, in one transaction. Issues whose status changed meanwhile are left alone. Returns the reopened issues, and whether there may be
   * more.
   */
  endArchives(now: number, limit: number): Promise<{ issues: ReturnedIssue[]; hasMore: boolean }>;
  /**
   * Computes the bounds of the day of `now` for issues that are archived until they escalate, at most `limit` of them. Returns how many.
   * Events update the bounds of their issues themselves; this is for issues without events.
   */
  renewBounds(now: number, limit: number): Promise<number>;
}

export interface ReturnedIssue {
  issueId: number;
  projectId: number;
}
