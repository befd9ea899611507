/** An issue that somebody merged into another: a rule for what comes, because its hashes lead there from then on. */
export interface IssueMerge {
  id: number;
  projectId: number;
  /** The name on pages. */
  name: string;
  /** The issue that goes on. */
  target: { issueId: number; shortId: string; title: string };
  /** The issue that ended. */
  merged: { issueId: number; shortId: string; title: string };
  /** Merged once, without a rule: later events with its keys become a new issue. */
  isOnce: boolean;
  /** Events that came since and that it decided, and when the latest came. */
  decidedCount: number;
  decidedAt: number | null;
  /** Keys that lead to the target because of it. */
  hashes: string[];
  mergedAt: number;
  /** The name of the person. Null: a token, or somebody who is gone. */
  mergedBy: string | null;
  /** Null: it holds. */
  undoneAt: number | null;
  undoneBy: string | null;
}
