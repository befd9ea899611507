import type { AlertRuleDraft } from "../../domain/alerts/alert-rule.ts";
import { get, type Query } from "./query.ts";

/** Adds a rule; gives its id. It tells what happens from now on: what waits in the outbox happened before. */
export function* insertRule(draft: AlertRuleDraft, at: number): Query<number> {
  const row = yield* get<{ id: number }>(
    `INSERT INTO alert_rules (name, project_ids, team_id, triggers, match, conditions, actions, steps, frequency_minutes, is_enabled,
       is_primed, created_at, changed_at, after_position)
     VALUES (:name, :projectIds, :teamId, :triggers, :match, :conditions, :actions, :steps, :frequencyMinutes, :isEnabled, 0, :at, :at,
       coalesce((SELECT max(position) FROM outbox), 0))
     RETURNING id`,
    { ...toRuleRow(draft), at },
  );
  if (row === undefined) throw new Error("the rule was not added");
  return row.id;
}

export function toRuleRow(draft: AlertRuleDraft) {
  return {
    name: draft.name,
    projectIds: draft.projectIds && JSON.stringify(draft.projectIds),
    teamId: draft.teamId ?? null,
    triggers: JSON.stringify(draft.triggers),
    match: draft.match,
    conditions: JSON.stringify(draft.conditions),
    actions: JSON.stringify(draft.actions),
    steps: JSON.stringify(draft.steps),
    frequencyMinutes: draft.frequencyMinutes,
    isEnabled: draft.isEnabled ? 1 : 0,
  };
}
