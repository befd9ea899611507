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
  /** In the seven days before `now`. */
  recentFirings: number;
}

/** Alert rules as people see and change them. A scope has those that cover one of its projects; who may change which is asked before: `mayManageRule`. */
export interface AlertStore {
  /** By name; at most `MAX_RULES`. */
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
  /** What it fired is forgotten, too. */
  deleteRule(scope: Scope, ruleId: number): Promise<boolean>;
  /** Newest first; `limit` at most 100. */
  listFirings(scope: Scope, of: { ruleId: number; limit: number }): Promise<AlertFiring[]>;
  /** What rules saw, and what came of it: the newest first. */
  listOutcomes(scope: Scope, of: OutcomeQuery): Promise<AlertOutcome[]>;
  /**
   * What rules wait for, as it happened in the range: the newest first. Of the newest `SEARCHED_ACTIVITIES` entries of all activity; undone changes are
   * none.
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

/** Something that happened to an issue, as its activity has it. */
export interface PastChange {
  issueId: number;
  kind: "first_seen" | "regressed" | "reopened" | "resolved";
  /** Milliseconds since 1970. */
  at: number;
  /** As in `IssueActivity`. */
  data: Record<string, unknown>;
}

/** What a rule has found, on its way to its targets. */
export interface FoundFiring {
  ruleId: number;
  projectId: number;
  issueId: number;
  trigger: AlertTrigger["kind"];
  at: number;
  /** Of a number: what it was; null: a change has none. */
  value: number | null;
  /** It fires once until `endPeriods` ends it. */
  isPeriod: boolean;
  /** It was so before the rule began: it is kept, and nobody is told. */
  isKnown?: boolean;
  /** A silence holds it back. A period that fired before goes on. */
  silenceId?: number;
  targets: readonly DeliveryTarget[];
  item: NewsItem;
}

/** What a rule saw without firing. */
export interface SeenByRule
  extends Pick<AlertOutcome, "ruleId" | "projectId" | "issueId" | "trigger" | "outcome" | "at"> {
  detail?: string;
  silenceId?: number | null;
  /** Of `fired`: who was told. */
  targets?: AlertOutcome["targets"];
  /** It was seen before, and is so still: it counts no further time. */
  isRepeat?: boolean;
}

/** Firings that are kept of a rule, beside open ones. */
export const MAX_FIRINGS = 500;
/** Some 0.2 s. */
export const SEARCHED_ACTIVITIES = 500_000;

/** A rule that is enabled. */
export interface WorkingRule extends AlertRule {
  /** What was so before the rule began is noted. */
  isPrimed: boolean;
  /** Of the outbox: the rule tells what comes after it. */
  afterPosition: number;
}

/** Alert rules as the server evaluates them. */
export interface AlertWork {
  /** Those that are enabled. */
  listEnabledRules(): Promise<WorkingRule[]>;
  /**
   * Atomic: fires what is not fired yet, adds its messages to the queue, and puts the reader of the outbox after `position`. A period that
   * is open does not fire again, and nothing of an issue fires again within the frequency of its rule. Gives how many fired.
   */
  fire(request: {
    reader: { name: string; position: number } | null;
    found: readonly FoundFiring[];
    /** What did not come to firing, for the history of the rules. */
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
  /** From now on the rule tells what becomes so. */
  notePrimed(ruleId: number): Promise<void>;
}
