/** Archived issues that come back when their time is over. Events bring back the others: see BatchStore. */
export interface ArchiveStore {
  /**
   * Reopens the issues whose time is over, at most `limit` of them, those first that wait longest, and writes that to their
   * activity and to the outbox, in one transaction. An issue that has got another status meanwhile keeps it. Gives the issues
   * that came back, and whether there may be more.
   */
  endArchives(now: number, limit: number): Promise<{ issues: ReturnedIssue[]; hasMore: boolean }>;
  /**
   * Makes the bounds of issues that are archived until they escalate those of the day of `now`, at most `limit` of them. Gives how many.
   * Events bring their issues' bounds up to date themselves; this is for issues that have none.
   */
  renewBounds(now: number, limit: number): Promise<number>;
}

export interface ReturnedIssue {
  issueId: number;
  projectId: number;
}
