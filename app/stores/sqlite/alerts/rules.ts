import {
  type AlertAction,
  type AlertFiring,
  type AlertRule,
  MAX_RULES,
  maySeeRule,
} from "../../../domain/alerts/alert-rule.ts";
import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import type { Scope } from "../../../domain/scope.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { insertRule, toRuleRow } from "../../sql/alert-rules.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import {
  type AlertStore,
  type ListedRule,
  type PastChange,
  SEARCHED_ACTIVITIES,
  type WorkingRule,
} from "../../state/alert-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { listOutcomes } from "./outcomes.ts";
import { endPeriodsOfRule, replanPeriods } from "./periods.ts";

/** SQL of the projects that a rule covers now, a JSON array; NULL: all. For `alert_rules AS r`. */
export const COVERED = `CASE WHEN r.team_id IS NULL THEN r.project_ids
  WHEN (SELECT has_all_projects FROM teams WHERE id = r.team_id) = 1 THEN NULL
  ELSE (SELECT json_group_array(project_id) FROM (SELECT project_id FROM team_projects WHERE team_id = r.team_id ORDER BY 1)) END`;
const COLUMNS = `${asFields(
  "r.id, r.name, r.team_id, r.triggers, r.match, r.conditions, r.actions, r.steps, r.frequency_minutes, r.is_enabled, r.created_at, r.changed_at",
)}, ${COVERED} AS projectIds`;
const RECENT_MS = 7 * DAY_MS;

type RuleRow = RowOf<
  AlertRule,
  {
    teamId: number | null;
    projectIds: string | null;
    triggers: string;
    conditions: string;
    actions: string;
    steps: string;
    isEnabled: 0 | 1;
  }
>;

export function createAlertStore(db: SqliteConnection): AlertStore {
  return {
    listRules: async (scope, now) => db.read(() => listRules(db, scope, now)),
    getRule: async (scope, ruleId) => db.read(() => getSeen(db, scope, ruleId)),
    createRule: (scope, draft, at) =>
      db.write(() => {
        if (seesOtherProjects(db, scope, draft.teamId)) return { ok: false, reason: "hidden" } as const;
        const count = db.get<{ count: number }>("SELECT count(*) AS count FROM alert_rules")?.count ?? 0;
        if (count >= MAX_RULES || !(draft.teamId || maySeeRule(scope, draft)))
          return { ok: false, reason: "full" } as const;
        const rule = requireRule(db, db.perform(insertRule(draft, at)));
        db.note({ action: "alert.create", target: toTarget(rule), after: toFields(db, rule) });
        return { ok: true, rule } as const;
      }),
    changeRule: (scope, ruleId, change, at, known = null) =>
      db.write(() => {
        const before = getSeen(db, scope, ruleId);
        if (before === null) return { ok: false, reason: "not-found" } as const;
        if (known !== null && known !== before.changedAt) return { ok: false, reason: "changed-meanwhile" } as const;
        const next = { ...before, ...change };
        if (seesOtherProjects(db, scope, next.teamId)) return { ok: false, reason: "hidden" } as const;
        db.run(
          `UPDATE alert_rules SET name = :name, project_ids = :projectIds, team_id = :teamId, triggers = :triggers, match = :match,
             conditions = :conditions, actions = :actions, steps = :steps, frequency_minutes = :frequencyMinutes, is_enabled = :isEnabled,
             changed_at = :at WHERE id = :ruleId`,
          { ...toRuleRow(next), at, ruleId },
        );
        // The rule now waits for something else, or did not watch for a while.
        const isAnew =
          (next.isEnabled && !before.isEnabled) || JSON.stringify(next.triggers) !== JSON.stringify(before.triggers);
        if (isAnew) {
          db.run("UPDATE alert_rules SET is_primed = 0 WHERE id = :ruleId", { ruleId });
          db.run("UPDATE alert_firings SET ended_at = :at WHERE rule_id = :ruleId AND ended_at IS NULL", {
            ruleId,
            at,
          });
        }
        if (!next.isEnabled || next.steps.length === 0) endPeriodsOfRule(db, ruleId, at);
        else if (JSON.stringify(next.steps) !== JSON.stringify(before.steps)) replanPeriods(db, ruleId, next.steps);
        const rule = requireRule(db, ruleId);
        db.note({
          action: "alert.edit",
          target: toTarget(before),
          before: toFields(db, before),
          after: toFields(db, rule),
        });
        return { ok: true, rule } as const;
      }),
    deleteRule: (scope, ruleId) =>
      db.write(() => {
        const rule = getSeen(db, scope, ruleId);
        if (rule === null) return false;
        db.note({ action: "alert.delete", target: toTarget(rule), before: toFields(db, rule) });
        db.run("DELETE FROM alert_rules WHERE id = :ruleId", { ruleId });
        return true;
      }),
    listChanges: async (scope, { from, to, limit }) =>
      db
        .all<Omit<PastChange, "data"> & { data: string }>(
          `SELECT a.issue_id AS issueId, a.kind, a.at, a.data FROM issue_activity AS a CROSS JOIN issues AS i ON i.id = a.issue_id
           WHERE a.id > (SELECT ifnull(max(id), 0) - ${SEARCHED_ACTIVITIES} FROM issue_activity) AND a.at >= :from AND a.at < :to
             AND a.kind IN ('first_seen', 'regressed', 'reopened', 'resolved') AND a.data ->> 'isUndo' IS NULL
             AND i.project_id IN (SELECT value FROM json_each(:scopeIds))
           ORDER BY a.id DESC LIMIT :limit`,
          { from, to, limit, scopeIds: JSON.stringify(scope.projectIds) },
        )
        .map(({ data, ...change }) => ({ ...change, data: JSON.parse(data) })),
    listOutcomes: async (scope, of) => listOutcomes(db, scope, of),
    listFirings: async (scope, { ruleId, limit }) =>
      db.all<AlertFiring>(
        `SELECT ${asFields("id, rule_id, project_id, issue_id, trigger, at, ended_at, peak, target_count")} FROM alert_firings
         WHERE rule_id = :ruleId AND is_known = 0 AND project_id IN (SELECT value FROM json_each(:scopeIds))
         ORDER BY at DESC, id DESC LIMIT :limit`,
        { ruleId, limit: Math.min(100, limit), scopeIds: JSON.stringify(scope.projectIds) },
      ),
  };
}

function listRules(db: SqliteConnection, scope: Scope, now: number): ListedRule[] {
  return db
    .all<RuleRow & { lastFiredAt: number | null; recentFirings: number }>(
      `SELECT ${COLUMNS}, f.lastFiredAt, ifnull(f.recentFirings, 0) AS recentFirings FROM alert_rules AS r
       LEFT JOIN (
         SELECT rule_id, max(at) AS lastFiredAt, count(*) FILTER (WHERE at >= :since) AS recentFirings FROM alert_firings
         WHERE is_known = 0 AND project_id IN (SELECT value FROM json_each(:scopeIds)) GROUP BY rule_id
       ) AS f ON f.rule_id = r.id
       ORDER BY name_key(r.name), r.id`,
      { since: now - RECENT_MS, scopeIds: JSON.stringify(scope.projectIds) },
    )
    .map(({ lastFiredAt, recentFirings, ...row }) => ({ ...toRule(row), lastFiredAt, recentFirings }))
    .filter((rule) => maySeeRule(scope, rule));
}

/** Whether the team sees a project that the scope does not have. Then the reader may not make rules for the team. */
function seesOtherProjects(db: SqliteConnection, scope: Scope, teamId: number | null | undefined): boolean {
  if (teamId === null || teamId === undefined) return false;
  const sql = `SELECT 1 FROM team_projects WHERE team_id = :teamId AND project_id NOT IN (SELECT value FROM json_each(:scopeIds)) LIMIT 1`;
  return db.get(sql, { teamId, scopeIds: JSON.stringify(scope.projectIds) }) !== undefined;
}

function getSeen(db: SqliteConnection, scope: Scope, ruleId: number): AlertRule | null {
  const rule = getRule(db, ruleId);
  return rule !== null && maySeeRule(scope, rule) ? rule : null;
}

export function getRule(db: SqliteConnection, ruleId: number): AlertRule | null {
  const row = db.get<RuleRow>(`SELECT ${COLUMNS} FROM alert_rules AS r WHERE r.id = :ruleId`, { ruleId });
  return row === undefined ? null : toRule(row);
}

function requireRule(db: SqliteConnection, ruleId: number): AlertRule {
  const rule = getRule(db, ruleId);
  if (rule === null) throw new Error(`alert rule ${ruleId} is gone`);
  return rule;
}

/** The enabled rules, each with the state of its work. */
export function listEnabledRules(db: SqliteConnection): WorkingRule[] {
  return db
    .all<RuleRow & { isPrimed: 0 | 1; afterPosition: number }>(
      `SELECT ${COLUMNS}, r.is_primed AS isPrimed, r.after_position AS afterPosition FROM alert_rules AS r WHERE r.is_enabled = 1 ORDER BY r.id`,
    )
    .map(({ isPrimed, afterPosition, ...row }) => ({ ...toRule(row), isPrimed: isPrimed === 1, afterPosition }));
}

function toRule({ teamId, ...row }: RuleRow): AlertRule {
  return {
    ...row,
    ...(teamId !== null && { teamId }),
    projectIds: row.projectIds === null ? null : JSON.parse(row.projectIds),
    triggers: JSON.parse(row.triggers),
    conditions: JSON.parse(row.conditions),
    actions: JSON.parse(row.actions),
    steps: JSON.parse(row.steps),
    isEnabled: row.isEnabled === 1,
  };
}

function toTarget({ id, name }: AlertRule) {
  return { kind: "alert", id, name };
}

/** The fields of a rule in the audit log. */
function toFields(db: SqliteConnection, rule: AlertRule): AuditFields {
  return {
    name: rule.name,
    ...(rule.teamId ? { team: nameTeam(db, rule.teamId) } : {}),
    projects: rule.projectIds === null ? "all" : nameProjects(db, rule.projectIds),
    triggers: rule.triggers.map((each) =>
      "count" in each ? `${each.count} ${each.kind} in ${each.minutes} min` : each.kind,
    ),
    match: rule.match,
    conditions: rule.conditions,
    actions: rule.actions.map(toWord),
    steps: rule.steps.map(({ afterMinutes, actions }) => `${afterMinutes} min: ${actions.map(toWord).join(", ")}`),
    frequencyMinutes: rule.frequencyMinutes,
    isEnabled: rule.isEnabled,
  };
}

function nameTeam(db: SqliteConnection, id: number): string | null {
  return db.get<{ slug: string }>("SELECT slug FROM teams WHERE id = :id", { id })?.slug ?? null;
}

function toWord(action: AlertAction): string {
  return "id" in action ? `${action.kind} ${action.id}` : action.kind;
}
