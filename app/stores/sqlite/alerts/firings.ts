import { MINUTE_MS } from "../../../domain/time.ts";
import { type AlertWork, type FoundFiring, MAX_FIRINGS } from "../../state/alert-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addNews } from "../notifications/deliveries.ts";
import { passOutbox } from "../notifications/outbox.ts";
import { getRule, listEnabledRules } from "./rules.ts";

export function createAlertWork(db: SqliteConnection): AlertWork {
  return {
    listEnabledRules: async () => db.read(() => listEnabledRules(db)),
    fire: ({ reader, found, now, createKey }) =>
      db.write(() => {
        if (reader !== null) passOutbox(db, reader.name, reader.position);
        return found.filter((each) => fireOne(db, each, { now, createKey })).length;
      }),
    endPeriods: async ({ ruleId, trigger, exceptIssueIds, at }) => {
      const open = "rule_id = :ruleId AND trigger = :trigger AND ended_at IS NULL";
      const isOther = "issue_id NOT IN (SELECT value FROM json_each(:kept))";
      const params = { ruleId, trigger, kept: JSON.stringify(exceptIssueIds) };
      // Asked first: most often none ends, and a read does not wait.
      if (db.get(`SELECT 1 FROM alert_firings WHERE ${open} AND ${isOther} LIMIT 1`, params) === undefined) return 0;
      return db.write(
        () =>
          db.run(`UPDATE alert_firings SET ended_at = :at WHERE ${open} AND ${isOther}`, { ...params, at }).changedRows,
      );
    },
    notePrimed: (ruleId) =>
      db.write(() => {
        db.run("UPDATE alert_rules SET is_primed = 1 WHERE id = :ruleId", { ruleId });
      }),
  };
}

/** Within a write transaction. */
function fireOne(
  db: SqliteConnection,
  { ruleId, projectId, issueId, trigger, at, value, isPeriod, isKnown = false, targets, item }: FoundFiring,
  { now, createKey }: { now: number; createKey: () => string },
): boolean {
  const rule = getRule(db, ruleId);
  if (rule === null || !rule.isEnabled) return false;
  if (isPeriod) {
    const open = db.get<{ id: number; peak: number | null }>(
      `SELECT id, peak FROM alert_firings
       WHERE rule_id = :ruleId AND issue_id = :issueId AND trigger = :trigger AND ended_at IS NULL`,
      { ruleId, issueId, trigger },
    );
    if (open !== undefined) {
      if (value !== null && value > (open.peak ?? 0))
        db.run("UPDATE alert_firings SET peak = :value WHERE id = :id", { id: open.id, value });
      return false;
    }
  }
  const isTooSoon =
    !isKnown &&
    rule.frequencyMinutes > 0 &&
    db.get(
      "SELECT 1 FROM alert_firings WHERE rule_id = :ruleId AND issue_id = :issueId AND is_known = 0 AND at > :since LIMIT 1",
      { ruleId, issueId, since: at - rule.frequencyMinutes * MINUTE_MS },
    ) !== undefined;
  if (isTooSoon) return false;
  db.run(
    `INSERT INTO alert_firings (rule_id, project_id, issue_id, trigger, at, ended_at, peak, target_count, is_known)
     VALUES (:ruleId, :projectId, :issueId, :trigger, :at, :endedAt, :value, :targetCount, :isKnown)`,
    {
      ruleId,
      projectId,
      issueId,
      trigger,
      at: Math.floor(at),
      endedAt: isPeriod ? null : Math.floor(at),
      value,
      targetCount: isKnown ? 0 : targets.length,
      isKnown: isKnown ? 1 : 0,
    },
  );
  if (isKnown) return false;
  db.run(
    `DELETE FROM alert_firings WHERE rule_id = :ruleId AND ended_at IS NOT NULL AND id <= (
       SELECT id FROM alert_firings WHERE rule_id = :ruleId AND ended_at IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ${MAX_FIRINGS})`,
    { ruleId },
  );
  for (const target of targets) addNews(db, { target, items: [{ ...item, rule: rule.name }], now, createKey });
  return true;
}
