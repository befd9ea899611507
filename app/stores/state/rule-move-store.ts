import type { RuleMove } from "../../domain/grouping-rules/rule-move.ts";
import type { Scope } from "../../domain/scope.ts";

export type MoveRefusal =
  | "not-found"
  /** Another move of the project is not over. */
  | "running"
  | "undone-before";

/** Stored events that are brought to where the rules of their project want them. A project outside of the scope does not exist. */
export interface RuleMoveStore {
  /** Asks the job for it. One at a time. */
  requestMove(
    scope: Scope,
    move: { projectId: number; since: number; userId: number | null; at: number },
  ): Promise<{ ok: true; move: RuleMove } | { ok: false; reason: MoveRefusal }>;
  /** Asks the job to bring the events back. A running move stops where it is. */
  undoMove(
    scope: Scope,
    move: { moveId: number; userId: number | null; at: number },
  ): Promise<{ ok: true; move: RuleMove } | { ok: false; reason: MoveRefusal }>;
  /** The newest first, at most 20. */
  listMoves(scope: Scope, projectId: number): Promise<RuleMove[]>;
}

/** The work of the job for one move. */
export interface OpenMove {
  id: number;
  projectId: number;
  since: number;
  /** The person who asked for it. Null: a token. */
  userId: number | null;
  /** True: somebody wants to undo it, so no further issue is looked at. */
  isToBeUndone: boolean;
}

/** The moves, for the job. What an issue gains by one is noted with the regrouping itself. */
export interface RuleMoveWork {
  /** The oldest that is not over, or to be undone. */
  findOpenMove(): Promise<OpenMove | null>;
  /** The next issue with events of its time; null: all were looked at. */
  nextIssue(moveId: number): Promise<number | null>;
  /** Ids of issues grow: this one and those before it were looked at. */
  noteIssue(issue: { moveId: number; issueId: number }): Promise<void>;
  endMove(move: { moveId: number; at: number }): Promise<void>;
  /**
   * Atomic. Issues that ended by the move are there again, and the job is asked to give the events of those that gained some to the issues
   * of the keys that they were stored with.
   */
  revertMove(move: { moveId: number; at: number }): Promise<void>;
}
