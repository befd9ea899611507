import type { Assignee, AssigneeRef, NewTriage, PreviousTriage } from "../../domain/issues/triage.ts";
import type { Scope } from "../../domain/scope.ts";

export interface TriageRequest extends NewTriage {
  issueIds: readonly number[];
  userId: number | null;
  at: number;
}

export interface TriageResult {
  previous: PreviousTriage[];
  /** Issues that keep their assignee, because the new one does not see their project. Nothing of them is changed. */
  refusedIds: number[];
}

/** What a rule of the project gives an issue. */
export interface RuleAssignment {
  issueId: number;
  assignee: AssigneeRef;
  /** As it was written. */
  rule: string;
  at: number;
}

/**
 * Who works on issues, and how urgent they are. An assignee who does not see the project of an issue any more, or was removed, is
 * none: the issue counts as unassigned until they see it again.
 */
export interface TriageStore {
  /** Writes activity, and tells the new assignee (a team: its members) through the outbox. */
  changeTriage(scope: Scope, request: TriageRequest): Promise<TriageResult>;
  /** Undo: as above, but nobody is told. */
  restoreTriage(
    scope: Scope,
    previous: readonly PreviousTriage[],
    by: { userId: number | null; at: number },
  ): Promise<void>;
  /**
   * For a reader of the outbox: assigns as above, and names the rule in the activity. Issues that were ever assigned, or taken from
   * somebody, stay as they are. In the same transaction the reader passes the entry. Gives what was assigned.
   */
  assignByRules(
    scope: Scope,
    assignments: readonly RuleAssignment[],
    passed: { reader: string; position: number },
  ): Promise<number[]>;
  /** Members and teams who see this project, or any of the scope (null); teams last, each by name. */
  listAssignees(scope: Scope, of: { projectId: number | null; limit: number }): Promise<Assignee[]>;
  /** Whether somebody may get issues of the project. */
  seesProject(scope: Scope, ref: AssigneeRef, projectId: number): Promise<boolean>;
  /** Null: there is none, or a member who was removed. */
  getAssignee(scope: Scope, ref: AssigneeRef): Promise<Assignee | null>;
}
