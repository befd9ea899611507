import type { AlertFiring, AlertRule, AlertRuleDraft, AlertTrigger } from "../../domain/alerts/alert-rule.ts";
import type { AlertOutcome, AlertOutcomeKind } from "../../domain/alerts/outcome.ts";
import type { AlertSilence } from "../../domain/alerts/silence.ts";
import type { Scope } from "../../domain/scope.ts";
import type { DeliveryTarget, NewsItem } from "./delivery-store.ts";

/** `hidden`: the team sees a project that is not in the scope. */
export type SaveRuleResult =
  | { ok: true; rule: AlertRule }
  | { ok: false; reason: "not-found" | "full" | "hidden" | "changed-meanwhile" };

/** A rule with what became of it, over the projects of the scope. */
export interface ListedRule extends AlertRule {
  lastFiredAt: number | null;
  /** How often the rule fired in the seven days before `now`. */
  recentFirings: number;
}

/** Alert rules as people see and change them. A scope has those that cover one of its projects; who may change which is asked before: `mayManageRule`. */
export interface AlertStore {
  /** The rules by name, at most `MAX_RULES`. */
  listRules(scope: Scope, now: number): Promise<ListedRule[]>;
  getRule(scope: Scope, ruleId: number): Promise<AlertRule | null>;
  createRule(scope: Scope, draft: AlertRuleDraft, at: number): Promise<SaveRuleResult>;
  /** Absent fields stay. `known`: the `changedAt` of the rule that was changed; null, and absent: whichever is there. */
  changeRule(
    scope: Scope,
    ruleId: number,
    change: Partial<AlertRuleDraft>,
    at: number,
    known?: number | null,
  ): Promise<SaveRuleResult>;
  /** Deletes the rule and the history of its firings. */
  deleteRule(scope: Scope, ruleId: number): Promise<boolean>;
  /** Newest first; `limit` at most 100. */
  listFirings(scope: Scope, of: { ruleId: number; limit: number }): Promise<AlertFiring[]>;
  /** The outcomes of rules, newest first. */
  listOutcomes(scope: Scope, of: OutcomeQuery): Promise<AlertOutcome[]>;
  /**
   * Changes of the range that are triggers of rules, newest first. Only the newest `SEARCHED_ACTIVITIES` entries of all activity are
   * searched. Undone changes are left out.
   */
  listChanges(scope: Scope, of: { from: number; to: number; limit: number }): Promise<PastChange[]>;
}

/** Which entries of the history; absent: any. */
export interface OutcomeQuery {
  ruleId?: number | null;
  issueId?: number | null;
  silenceId?: number | null;
  outcome?: AlertOutcomeKind | null;
  /** At most `MAX_OUTCOMES`. */
  limit: number;
}

/** A change of an issue, from its activity. */
export interface PastChange {
  issueId: number;
  kind: "first_seen" | "regressed" | "reopened" | "resolved";
  /** Milliseconds since 1970. */
  at: number;
  /** The same as in `IssueActivity`. */
  data: Record<string, unknown>;
}

/** A firing that a rule has found and that is not stored yet. */
export interface FoundFiring {
  ruleId: number;
  projectId: number;
  issueId: number;
  trigger: AlertTrigger["kind"];
  at: number;
  /** For rules about numbers: the value. Null: the trigger is a change. */
  value: number | null;
  /** True: it fires once, and not again until `endPeriods` ends the period. */
  isPeriod: boolean;
  /** True: it was so before the rule began. It is kept, and nobody is told. */
  isKnown?: boolean;
  /** A silence holds it back. A period that fired before goes on. */
  silenceId?: number;
  targets: readonly DeliveryTarget[];
  item: NewsItem;
}

/** An outcome of a rule that did not fire, or the receivers of one that did. */
export interface SeenByRule
  extends Pick<AlertOutcome, "ruleId" | "projectId" | "issueId" | "trigger" | "outcome" | "at"> {
  detail?: string;
  silenceId?: number | null;
  /** For `fired`: who was told. */
  targets?: AlertOutcome["targets"];
  /** True: it was seen before and has not changed, so it is not counted again. */
  isRepeat?: boolean;
}

/** Firings that are kept of a rule, beside open ones. */
export const MAX_FIRINGS = 500;
/** The number of searched activity entries. It takes some 0.2 s. */
export const SEARCHED_ACTIVITIES = 500_000;

/** A rule that is enabled. */
export interface WorkingRule extends AlertRule {
  /** Whether everything that was so before the rule began is noted. */
  isPrimed: boolean;
  /** Position in the outbox: the rule tells entries after it. */
  afterPosition: number;
}

/** Alert rules as the server evaluates them. */
export interface AlertWork {
  listEnabledRules(): Promise<WorkingRule[]>;
  /**
   * Stores new firings, adds their messages to the queue, and moves the reader of the outbox behind `position`. Atomic. An open period does
   * not fire again, and no rule fires again for an issue within its frequency. Returns how many fired.
   */
  fire(request: {
    reader: { name: string; position: number } | null;
    found: readonly FoundFiring[];
    /** Outcomes that did not fire, for the history of the rules. */
    seen?: readonly SeenByRule[];
    now: number;
    createKey: () => string;
  }): Promise<number>;
  /** The silences that hold at a moment from `from` to `to`. */
  listSilences(range: { from: number; to: number }): Promise<AlertSilence[]>;
  /** Ends the open periods of a rule by this trigger, except those of these issues. */
  endPeriods(of: {
    ruleId: number;
    trigger: AlertTrigger["kind"];
    exceptIssueIds: readonly number[];
    at: number;
  }): Promise<number>;
  /** Marks the rule as primed: from now on it tells what becomes true. */
  notePrimed(ruleId: number): Promise<void>;
}
