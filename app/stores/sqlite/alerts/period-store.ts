import type { AlertStep } from "../../../domain/alerts/alert-rule.ts";
import { type AlertPeriod, findNextAt, type PeriodEnd } from "../../../domain/alerts/escalation.ts";
import { asFields } from "../../sql/columns.ts";
import type { AlertPeriodStore, AlertPeriodWork, DuePeriod } from "../../state/alert-period-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addActivity } from "../issues/issue-status.ts";
import { addNews } from "../notifications/add-news.ts";
import { findSteps, replan, toTold } from "./periods.ts";

const COLUMNS = asFields(
  "p.id, p.rule_id, p.project_id, p.issue_id, p.event_id, p.release, p.opened_at, p.next_step, p.next_at, p.told, p.acknowledged_at, p.acknowledged_by, p.ended_at, p.end_reason",
);
const FROM = `SELECT ${COLUMNS}, iif(u.name = '', u.email, u.name) AS acknowledgedByName
  FROM alert_periods AS p LEFT JOIN users AS u ON u.id = p.acknowledged_by`;
const MAX_LISTED = 100;

interface PeriodRow extends Omit<AlertPeriod, "told" | "acknowledged" | "ended"> {
  told: string;
  acknowledgedAt: number | null;
  acknowledgedBy: number | null;
  acknowledgedByName: string | null;
  endedAt: number | null;
  endReason: PeriodEnd | null;
}

export function createAlertPeriodStore(db: SqliteConnection): AlertPeriodStore {
  return {
    listPeriods: async (scope, { ruleId, issueId, isOpen, limit }) => {
      const where = [
        "p.project_id IN (SELECT value FROM json_each(:scopeIds))",
        ...(ruleId === undefined ? [] : ["p.rule_id = :ruleId"]),
        ...(issueId === undefined ? [] : ["p.issue_id = :issueId"]),
        ...(isOpen === undefined ? [] : [`p.ended_at IS ${isOpen ? "" : "NOT "}NULL`]),
      ];
      return db
        .all<PeriodRow>(
          `${FROM} WHERE ${where.join(" AND ")} ORDER BY p.ended_at IS NOT NULL, p.id DESC LIMIT :limit`,
          {
            scopeIds: JSON.stringify(scope.projectIds),
            limit: Math.min(MAX_LISTED, limit),
            ...(ruleId === undefined ? {} : { ruleId }),
            ...(issueId === undefined ? {} : { issueId }),
          },
        )
        .map(toPeriod);
    },
    acknowledge: (scope, { issueId, userId, via, at }) =>
      db.write(() => {
        const ids = db
          .all<{ id: number }>(
            `SELECT id FROM alert_periods WHERE issue_id = :issueId AND ended_at IS NULL AND acknowledged_at IS NULL
               AND project_id IN (SELECT value FROM json_each(:scopeIds)) ORDER BY id`,
            { issueId, scopeIds: JSON.stringify(scope.projectIds) },
          )
          .map(({ id }) => id);
        for (const id of ids)
          db.run(
            "UPDATE alert_periods SET acknowledged_at = :at, acknowledged_by = :userId, next_at = NULL WHERE id = :id",
            { id, at: Math.floor(at), userId },
          );
        if (ids.length > 0) addActivity(db, { issueId, at, kind: "acknowledged", userId, data: { via } });
        return ids;
      }),
    withdraw: (scope, { issueId, periodIds, userId, at }) =>
      db.write(() => {
        let count = 0;
        for (const id of periodIds) {
          const row = db.get<{ ruleId: number }>(
            `SELECT rule_id AS ruleId FROM alert_periods WHERE id = :id AND issue_id = :issueId AND ended_at IS NULL
               AND acknowledged_at IS NOT NULL AND project_id IN (SELECT value FROM json_each(:scopeIds))`,
            { id, issueId, scopeIds: JSON.stringify(scope.projectIds) },
          );
          if (row === undefined) continue;
          db.run("UPDATE alert_periods SET acknowledged_at = NULL, acknowledged_by = NULL WHERE id = :id", { id });
          replan(db, "id = :id", { id }, findSteps(db, row.ruleId));
          count += 1;
        }
        if (count > 0) addActivity(db, { issueId, at, kind: "unacknowledged", userId, data: {} });
        return count;
      }),
  };
}

export function createAlertPeriodWork(db: SqliteConnection): AlertPeriodWork {
  return {
    listDue: async ({ now, after, limit }) =>
      db
        .all<PeriodRow & { steps: string; ruleName: string }>(
          `SELECT ${COLUMNS}, NULL AS acknowledgedByName, r.steps, r.name AS ruleName
           FROM alert_periods AS p JOIN alert_rules AS r ON r.id = p.rule_id
           WHERE p.next_at <= :now AND (p.next_at, p.id) > (:afterAt, :afterId)
           ORDER BY p.next_at, p.id LIMIT :limit`,
          { now, afterAt: after?.nextAt ?? 0, afterId: after?.id ?? 0, limit: Math.min(MAX_LISTED, limit) },
        )
        .map(({ steps, ruleName, ...row }): DuePeriod => ({ ...toPeriod(row), steps: JSON.parse(steps), ruleName })),
    isUnanswered: async (issueId) => {
      const sql =
        "SELECT 1 FROM alert_periods WHERE issue_id = :issueId AND ended_at IS NULL AND acknowledged_at IS NULL LIMIT 1";
      return db.get(sql, { issueId }) !== undefined;
    },
    settleClock: async (now) => {
      const isAhead = "next_at IS NOT NULL AND opened_at > :now";
      // A read first, because a write waits for other writers.
      if (db.get(`SELECT 1 FROM alert_periods WHERE ${isAhead} LIMIT 1`, { now }) === undefined) return 0;
      return await db.write(
        () =>
          db.run(`UPDATE alert_periods SET next_at = :now + next_at - opened_at, opened_at = :now WHERE ${isAhead}`, {
            now: Math.floor(now),
          }).changedRows,
      );
    },
    tellStep: ({ periodId, number, targets, item, now, createKey }) =>
      db.write(() => {
        const row = db.get<{ ruleId: number; openedAt: number; told: string }>(
          `SELECT rule_id AS ruleId, opened_at AS openedAt, told FROM alert_periods
           WHERE id = :periodId AND next_step = :number AND acknowledged_at IS NULL AND ended_at IS NULL`,
          { periodId, number },
        );
        if (row === undefined) return false;
        const steps: AlertStep[] = findSteps(db, row.ruleId);
        const nextStep = number + 1;
        db.run(
          `UPDATE alert_periods SET next_step = :nextStep, next_at = :nextAt, told = :told
           WHERE id = :periodId AND next_step = :number`,
          {
            periodId,
            number,
            nextStep,
            nextAt: findNextAt(steps, { openedAt: row.openedAt, nextStep }),
            told: JSON.stringify([...JSON.parse(row.told), toTold(number, Math.floor(now), targets)]),
          },
        );
        for (const target of targets) addNews(db, { target, items: [item], now, createKey });
        return true;
      }),
  };
}

function toPeriod(row: PeriodRow): AlertPeriod {
  const { acknowledgedAt, acknowledgedBy, acknowledgedByName, endedAt, endReason, told, ...period } = row;
  const by = acknowledgedBy === null ? null : { id: acknowledgedBy, name: acknowledgedByName ?? "" };
  return {
    ...period,
    told: JSON.parse(told),
    acknowledged: acknowledgedAt === null ? null : { at: acknowledgedAt, by },
    ended: endedAt === null || endReason === null ? null : { at: endedAt, reason: endReason },
  };
}
