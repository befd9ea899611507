/** The issue to which events would go: an existing one, or a new one. */
export type PreviewTarget = { kind: "issue"; issueId: number } | { kind: "new"; hash: string; title: string };

/** Events of one issue that would go to another. */
export interface PreviewFlow {
  fromIssueId: number;
  to: PreviewTarget;
  eventCount: number;
  /** The newest of them, at most three. */
  examples: Array<{ eventId: string; title: string; occurredAt: number }>;
}

/** What the rules would have done to the newest events of a project. */
export interface GroupingPreview {
  /** Events that were grouped again. */
  eventCount: number;
  /** The highest number of newest events that the preview checks. */
  maxEvents: number;
  /** Events without a payload: it is deleted, or damaged. They are not among the others. */
  unreadableCount: number;
  /** The time was over before all were looked at. */
  isCut: boolean;
  tookMs: number;
  /** When the oldest of them happened. Null: there is none. */
  oldestAt: number | null;
  /** Events that a rule had a say in. */
  ruledCount: number;
  movedCount: number;
  /** The largest first, at most `MAX_PREVIEW_FLOWS`. */
  flows: PreviewFlow[];
  flowCount: number;
}

export const MAX_PREVIEW_FLOWS = 30;
