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

/** The assignment that a rule of the project gives to an issue. */
export interface RuleAssignment {
  issueId: number;
  assignee: AssigneeRef;
  /** The rule as it was written. */
  rule: string;
  at: number;
}

/**
 * Assignees and priorities of issues. An assignee who was removed, or no longer sees the project of an issue, does not count: the issue is
 * unassigned until the assignee sees it again.
 */
export interface TriageStore {
  /** Writes activity, and tells the new assignee (a team: its members) through the outbox. */
  changeTriage(scope: Scope, request: TriageRequest): Promise<TriageResult>;
  /** Undoes a change like above, without telling anybody. */
  restoreTriage(
    scope: Scope,
    previous: readonly PreviousTriage[],
    by: { userId: number | null; at: number },
  ): Promise<void>;
  /**
   * For a reader of the outbox: assigns issues like above, and names the rule in the activity. Issues that were ever assigned, or taken
   * from an assignee, are not changed. The reader passes the entry in the same transaction. Returns the assignments.
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
  /** Null: there is none, or the member was removed. */
  getAssignee(scope: Scope, ref: AssigneeRef): Promise<Assignee | null>;
}
