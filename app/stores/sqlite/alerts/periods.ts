import type { AlertRule, AlertStep } from "../../../domain/alerts/alert-rule.ts";
import { findNextAt, MAX_PERIODS, type PeriodEnd, type ToldStep } from "../../../domain/alerts/escalation.ts";
import type { DeliveryTarget, NewsItem } from "../../state/delivery-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** The most targets that an entry of `told` names. */
const MAX_LISTED = 100;

/**
 * Opens a period, within the write transaction of a firing. Does nothing if the rule has no steps, the issue is dealt with, or a period is
 * open.
 */
export function openPeriod(
  db: SqliteConnection,
  {
    rule: { id: ruleId, steps },
    issueId,
    projectId,
    item,
    targets,
    now,
  }: {
    rule: AlertRule;
    issueId: number;
    projectId: number;
    item: NewsItem;
    targets: readonly DeliveryTarget[];
    now: number;
  },
): void {
  const openedAt = Math.floor(now);
  const nextAt = findNextAt(steps, { openedAt, nextStep: 0 });
  if (nextAt === null) return;
  const { changedRows } = db.run(
    `INSERT INTO alert_periods (rule_id, project_id, issue_id, event_id, release, opened_at, next_step, next_at, told)
     SELECT :ruleId, :projectId, :issueId, :eventId, :release, :openedAt, 0, :nextAt, :told
     FROM issues WHERE id = :issueId AND status = 'unresolved'
     ON CONFLICT DO NOTHING`,
    {
      ruleId,
      projectId,
      issueId,
      eventId: item.eventId,
      release: item.release,
      openedAt,
      nextAt,
      told: JSON.stringify([toTold(null, openedAt, targets)]),
    },
  );
  if (changedRows > 0) trim(db, ruleId, openedAt);
}

/** The entry of `told` for a step of the rule; null: the first message. */
export function toTold(step: number | null, at: number, targets: readonly DeliveryTarget[]): ToldStep {
  return { step, at, targets: targets.slice(0, MAX_LISTED).map(({ channel, address }) => ({ channel, address })) };
}

function trim(db: SqliteConnection, ruleId: number, at: number): void {
  // Anyone with a DSN can make issues, so the open periods of a rule are bounded. The oldest ones end first: they have told more steps than
  // the others.
  db.run(
    `UPDATE alert_periods SET ended_at = :at, end_reason = 'limit', next_at = NULL
     WHERE rule_id = :ruleId AND ended_at IS NULL AND id <= (
       SELECT id FROM alert_periods WHERE rule_id = :ruleId AND ended_at IS NULL ORDER BY id DESC LIMIT 1 OFFSET ${MAX_PERIODS})`,
    { ruleId, at },
  );
  db.run(
    `DELETE FROM alert_periods WHERE rule_id = :ruleId AND ended_at IS NOT NULL AND id <= (
       SELECT id FROM alert_periods WHERE rule_id = :ruleId AND ended_at IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ${MAX_PERIODS})`,
    { ruleId },
  );
}

/** Whether somebody has acknowledged the issue: then the rule does not tell it again. */
export function isAcknowledged(db: SqliteConnection, of: { ruleId: number; issueId: number }): boolean {
  const sql = `SELECT 1 FROM alert_periods
    WHERE rule_id = :ruleId AND issue_id = :issueId AND ended_at IS NULL AND acknowledged_at IS NOT NULL`;
  return db.get(sql, of) !== undefined;
}

/** Within a write transaction. */
export function endPeriodsOfIssue(
  db: SqliteConnection,
  { issueId, at, reason }: { issueId: number; at: number; reason: PeriodEnd },
): void {
  db.run(
    `UPDATE alert_periods SET ended_at = :at, end_reason = :reason, next_at = NULL
     WHERE issue_id = :issueId AND ended_at IS NULL`,
    { issueId, at: Math.floor(at), reason },
  );
}

/** Ends the periods of a rule that was turned off or has no steps any more, within a write transaction. */
export function endPeriodsOfRule(db: SqliteConnection, ruleId: number, at: number): void {
  db.run(
    `UPDATE alert_periods SET ended_at = :at, end_reason = 'rule', next_at = NULL
     WHERE rule_id = :ruleId AND ended_at IS NULL`,
    { ruleId, at: Math.floor(at) },
  );
}

/**
 * Continues the periods that a resolve or an archive ended, within the write transaction that undoes it. A period is not continued if a new
 * one began meanwhile.
 */
export function reopenPeriods(db: SqliteConnection, issueId: number): void {
  const ended = db.all<{ id: number; ruleId: number }>(
    `SELECT max(id) AS id, rule_id AS ruleId FROM alert_periods AS p
     WHERE issue_id = :issueId AND end_reason IN ('resolved', 'archived')
       AND ended_at = (SELECT max(ended_at) FROM alert_periods WHERE issue_id = :issueId)
     GROUP BY rule_id`,
    { issueId },
  );
  for (const { id, ruleId } of ended) {
    const steps = findSteps(db, ruleId);
    if (steps.length === 0) continue;
    const { changedRows } = db.run(
      "UPDATE OR IGNORE alert_periods SET ended_at = NULL, end_reason = NULL WHERE id = :id",
      { id },
    );
    if (changedRows > 0) replan(db, "id = :id", { id }, steps);
  }
}

/** Adjusts open periods to the rule's new steps, within a write transaction. Steps that were already told are not told again. */
export function replanPeriods(db: SqliteConnection, ruleId: number, steps: readonly AlertStep[]): void {
  replan(db, "rule_id = :ruleId AND ended_at IS NULL", { ruleId }, steps);
}

/** Within a write transaction. */
export function replan(
  db: SqliteConnection,
  where: string,
  params: Record<string, number>,
  steps: readonly AlertStep[],
): void {
  db.run(
    `UPDATE alert_periods SET next_at = CASE WHEN acknowledged_at IS NULL AND ended_at IS NULL
       THEN opened_at + 60000 * json_extract(:steps, '$[' || next_step || '].afterMinutes') END
     WHERE ${where}`,
    { ...params, steps: JSON.stringify(steps) },
  );
}

/** The steps of an enabled rule. Empty for other rules. */
export function findSteps(db: SqliteConnection, ruleId: number): AlertStep[] {
  const row = db.get<{ steps: string }>("SELECT steps FROM alert_rules WHERE id = :ruleId AND is_enabled = 1", {
    ruleId,
  });
  return row === undefined ? [] : JSON.parse(row.steps);
}

/**
 * Moves open periods to the issue that a merge leaves, within its write transaction. They end if that issue is dealt with, or has an open
 * period of the same rule. A merge by a source map must not end an escalation that nobody has answered.
 */
export function movePeriods(db: SqliteConnection, ids: { issueId: number; targetId: number }): void {
  db.run(
    `UPDATE OR IGNORE alert_periods SET issue_id = :targetId
     WHERE issue_id = :issueId AND (ended_at IS NOT NULL
       OR EXISTS (SELECT 1 FROM issues WHERE id = :targetId AND status = 'unresolved'))`,
    ids,
  );
}
