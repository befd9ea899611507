/** Stored events of a project that somebody has brought to where its rules want them. Instants: milliseconds since 1970. */
export interface RuleMove {
  id: number;
  projectId: number;
  /** Events from then on. */
  since: number;
  askedAt: number;
  /** The name of the person. Null: a token, or somebody who is gone. */
  askedBy: string | null;
  issueCount: number;
  doneIssueCount: number;
  movedCount: number;
  /** Null: it is not over. */
  endedAt: number | null;
  undoAskedAt: number | null;
  undoBy: string | null;
  /** When its events began to move back. Null: they have not. */
  undoneAt: number | null;
}

/** Days whose stored events can be moved. */
export const MOVE_DAYS = [1, 7, 30, 90] as const;

/** Null: not one of `MOVE_DAYS`. */
export function parseMoveDays(text: unknown): number | null {
  return MOVE_DAYS.find((days) => String(days) === text) ?? null;
}
