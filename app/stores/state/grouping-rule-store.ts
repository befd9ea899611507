import type { ProjectRuleTexts, RuleTexts } from "../../domain/grouping-rules/project-rules.ts";
import type { RuleUse } from "../../domain/grouping-rules/rule-use.ts";
import type { Scope } from "../../domain/scope.ts";

/** The rules of a project, and who wrote them last. */
export interface StoredRules extends RuleTexts {
  /** Grows with each change. 0: no rules were ever written. */
  revision: number;
  /** Milliseconds since 1970; null as for the revision. */
  changedAt: number | null;
  /** Null: a token, or somebody who is gone. */
  changedBy: { id: number; name: string } | null;
}

/** The grouping rules of projects. A project outside of the scope does not exist here. */
export interface GroupingRuleStore {
  /** Null when there is no such project. */
  getRules(scope: Scope, projectId: number): Promise<StoredRules | null>;
  /**
   * Saves rules, for batches that begin later. The texts must be valid: they are not checked here. With a `revision`, only saves if it is
   * still the present one.
   */
  saveRules(
    scope: Scope,
    change: { projectId: number; userId: number | null; at: number; revision?: number } & Partial<RuleTexts>,
  ): Promise<{ ok: true; rules: StoredRules } | { ok: false; reason: "not-found" | "changed-meanwhile" }>;
  /** The number of events that each rule of both texts has decided, most first. Rules that decided none are left out. */
  listUses(scope: Scope, projectId: number): Promise<RuleUse[]>;
}

/** The rules of all projects, for the digest. */
export interface GroupingRuleIndex {
  /** Grows with each change, no matter who made it. Cheap to ask. */
  version(): Promise<number>;
  /** Projects without any are left out. */
  listRules(): Promise<ProjectRuleTexts[]>;
  /** The issues of the hashes that are known. */
  findIssues(projectId: number, hashes: readonly string[]): Promise<Map<string, number>>;
}
