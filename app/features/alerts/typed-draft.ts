import {
  type AlertAction,
  type AlertRuleDraft,
  type AlertTrigger,
  MATCHES,
  MAX_STEPS,
} from "../../domain/alerts/alert-rule.ts";
import type { TypedRuleDraft } from "../../domain/alerts/read-rule-draft.ts";

/** A draft with the typed values, as far as a form can show them again. */
export function toTypedDraft(typed: TypedRuleDraft): AlertRuleDraft {
  return {
    ...typed,
    name: typed.name.slice(0, 1_000),
    triggers: typed.triggers as AlertTrigger[],
    // An empty line is not a condition, and the sentence would show it as one.
    conditions: typed.conditions
      .filter((search) => search.trim() !== "")
      .slice(0, 100)
      .map((search) => search.slice(0, 2_000)),
    actions: typed.actions as AlertAction[],
    steps: typed.steps.slice(0, MAX_STEPS).map(({ afterMinutes, actions }) => ({
      afterMinutes,
      actions: actions as AlertAction[],
    })),
    match: MATCHES.find((word) => word === typed.match) ?? "all",
    frequencyMinutes: Number.isFinite(typed.frequencyMinutes) ? typed.frequencyMinutes : 0,
  };
}
