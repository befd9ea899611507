import { MAX_RULE_TEXT_CHARS } from "./rule-limits.ts";

/** The number of events that a rule has decided since it was written, and when the latest one came. */
export interface RuleUse {
  kind: "fingerprint" | "stack" | "split" | "merge";
  /** The text of the rule, or the id of the split or merge. */
  rule: string;
  eventCount: number;
  /** Milliseconds since 1970. */
  lastAt: number;
}

/** The rules of a text, as events and counts name them. */
export function listRuleTexts(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().slice(0, MAX_RULE_TEXT_CHARS))
    .filter((line) => line !== "" && !line.startsWith("#"));
}
