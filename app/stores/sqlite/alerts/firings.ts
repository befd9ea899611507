import type { AlertRule } from "../../../domain/alerts/alert-rule.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import { type AlertWork, type FoundFiring, MAX_FIRINGS } from "../../state/alert-store.ts";
import type { DeliveryTarget, NewsItem } from "../../state/delivery-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addNews } from "../notifications/add-news.ts";
import { passOutbox } from "../notifications/outbox.ts";
import { noteOutcome, trimOutcomes } from "./outcomes.ts";
import { isAcknowledged, openPeriod } from "./periods.ts";
import { getRule, listEnabledRules } from "./rules.ts";
import { listSilencesBetween } from "./silences.ts";

export function createAlertWork(db: SqliteConnection): AlertWork {
  return {
    listEnabledRules: async () => db.read(() => listEnabledRules(db)),
    fire: ({ reader, found, seen = [], now, createKey }) =>
      db.write(() => {
        if (reader !== null) passOutbox(db, reader.name, reader.position);
        for (const each of seen) noteOutcome(db, each);
        const rules = findRules(db, found);
        const fired = found.flatMap((each) => fireOne(db, rules.get(each.ruleId) ?? null, each, now) ?? []);
        // Once for all firings, because it reads all rows that a rule keeps.
        for (const ruleId of rules.keys()) trimFirings(db, ruleId);
        for (const ruleId of new Set([...seen, ...found].map((each) => each.ruleId))) trimOutcomes(db, ruleId);
        for (const { target, item } of joinRules(fired)) addNews(db, { target, items: [item], now, createKey });
        return fired.length;
      }),
    listSilences: async ({ from, to }) => listSilencesBetween(db, from, to),
    endPeriods: async ({ ruleId, trigger, exceptIssueIds, at }) => {
      const open = "rule_id = :ruleId AND trigger = :trigger AND ended_at IS NULL";
      const isOther = "issue_id NOT IN (SELECT value FROM json_each(:kept))";
      const params = { ruleId, trigger, kept: JSON.stringify(exceptIssueIds) };
      // A read first, because it does not wait for writers: usually no period has ended.
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

function findRules(db: SqliteConnection, found: readonly FoundFiring[]): Map<number, AlertRule | null> {
  return new Map([...new Set(found.map(({ ruleId }) => ruleId))].map((ruleId) => [ruleId, getRule(db, ruleId)]));
}

interface Fired {
  rule: string;
  targets: readonly DeliveryTarget[];
  item: NewsItem;
}

/** Joins the rules that tell the same target of the same change into one message item. */
function joinRules(fired: readonly Fired[]): Array<{ target: DeliveryTarget; item: NewsItem }> {
  const news = new Map<string, { target: DeliveryTarget; item: NewsItem }>();
  for (const { rule, targets, item } of fired)
    for (const target of targets) {
      const key = JSON.stringify([target, item]);
      const known = news.get(key)?.item;
      const otherRules = known && [...(known.otherRules ?? []), rule];
      news.set(key, { target, item: known ? { ...known, otherRules } : { ...item, rule } });
    }
  return [...news.values()];
}

/** Within a write transaction. Null: it did not fire. */
function fireOne(
  db: SqliteConnection,
  rule: AlertRule | null,
  { ruleId, projectId, issueId, trigger, at, value, isPeriod, isKnown = false, silenceId, targets, item }: FoundFiring,
  now: number,
): Fired | null {
  if (rule === null || !rule.isEnabled) return null;
  if (isPeriod) {
    const open = db.get<{ id: number; peak: number | null }>(
      `SELECT id, peak FROM alert_firings
       WHERE rule_id = :ruleId AND issue_id = :issueId AND trigger = :trigger AND ended_at IS NULL`,
      { ruleId, issueId, trigger },
    );
    if (open !== undefined) {
      if (value !== null && value > (open.peak ?? 0))
        db.run("UPDATE alert_firings SET peak = :value WHERE id = :id", { id: open.id, value });
      return null;
    }
  }
  const seen = { ruleId, projectId, issueId, trigger, at };
  if (silenceId !== undefined) {
    noteOutcome(db, { ...seen, outcome: "silenced", silenceId, isRepeat: isPeriod });
    return null;
  }
  const isAnswered = !isKnown && isAcknowledged(db, { ruleId, issueId });
  if (isAnswered) {
    noteOutcome(db, { ...seen, outcome: "acknowledged", isRepeat: isPeriod });
    return null;
  }
  const pauseMs = rule.frequencyMinutes * MINUTE_MS;
  const isTooSoon =
    !isKnown &&
    pauseMs > 0 &&
    db.get(
      "SELECT 1 FROM alert_firings WHERE rule_id = :ruleId AND issue_id = :issueId AND is_known = 0 AND at > :since AND at < :until LIMIT 1",
      // A firing farther in the future was written before the clock was set back.
      { ruleId, issueId, since: at - pauseMs, until: at + pauseMs },
    ) !== undefined;
  if (isTooSoon) {
    noteOutcome(db, { ...seen, outcome: "frequency", isRepeat: isPeriod });
    return null;
  }
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
  if (isKnown) {
    noteOutcome(db, { ...seen, outcome: "known" });
    return null;
  }
  noteOutcome(db, {
    ...seen,
    outcome: "fired",
    targets: targets.map(({ channel, address }) => ({ channel, address })),
  });
  openPeriod(db, { rule, issueId, projectId, item, targets, now });
  return { rule: rule.name, targets, item };
}

/** Keeps the newest firings whose period is over. */
function trimFirings(db: SqliteConnection, ruleId: number): void {
  db.run(
    `DELETE FROM alert_firings WHERE rule_id = :ruleId AND ended_at IS NOT NULL AND id <= (
       SELECT id FROM alert_firings WHERE rule_id = :ruleId AND ended_at IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ${MAX_FIRINGS})`,
    { ruleId },
  );
}
