/** Adds a value to the key of an issue's events, so that each value has an issue of its own. */
export interface SplitRule {
  id: number;
  name: string;
  /** See `issue-split.ts`: `tags.bank`, `url.path`. */
  variable: string;
  /** The keys of the issue when it was split: events that have one of them are split. */
  hashes: readonly string[];
}

/** The texts as people wrote them. */
export interface RuleTexts {
  fingerprintRules: string;
  stackRules: string;
}

/** The decisions of people on the grouping of one project. */
export interface ProjectRuleTexts extends RuleTexts {
  projectId: number;
  splits: SplitRule[];
}
