import { type AlertRule, mayManageRule } from "../../../domain/alerts/alert-rule.ts";
import { ACTING_MS, type NoisyRule, type RuleNoise, type SuggestedLine } from "../../../domain/alerts/noise.ts";
import { MANY_FIRINGS } from "../../../domain/alerts/rehearsal.ts";
import { MAX_FIRINGS } from "../../state/alert-store.ts";
import type { NoiseQuery, NoiseReader, NoiseStore, NoiseWork } from "../../state/noise-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addNews } from "../notifications/add-news.ts";
import { listEnabledRules } from "./rules.ts";

/** A condition on `issue_activity AS a`: a person acted on the issue. Acts of Culprit itself and undone acts do not count. */
const IS_ACT = `a.kind IN ('resolved', 'archived', 'assigned', 'unassigned', 'acknowledged', 'priority_set', 'commented', 'linked')
  AND a.data ->> 'isUndo' IS NULL AND a.data ->> 'reason' IS NULL
  AND (a.user_id IS NOT NULL OR a.kind IN ('resolved', 'archived'))`;

/** The answers to a firing, as a `FROM` clause. It refers to `alert_firings AS f`. */
const ANSWER = `FROM issue_activity AS a WHERE a.issue_id = f.issue_id AND a.at >= f.at AND a.at < f.at + ${ACTING_MS}`;

export function createNoiseStore(db: SqliteConnection): NoiseStore {
  return {
    listNoisyRules: async (scope, query) =>
      db.read(() => listNoisyRules(db, query, (rule) => mayManageRule(scope, rule))),
    listActedIssues: async (scope, { issueIds, from, to }) =>
      db
        .all<{ id: number }>(
          `SELECT i.id FROM issues AS i
           WHERE i.id IN (SELECT value FROM json_each(:issueIds)) AND i.project_id IN (SELECT value FROM json_each(:scopeIds))
             AND EXISTS (SELECT 1 FROM issue_activity AS a
               WHERE a.issue_id = i.id AND a.at >= :from AND a.at < :to AND ${IS_ACT})
           ORDER BY i.id`,
          { from, to, issueIds: JSON.stringify(issueIds), scopeIds: JSON.stringify(scope.projectIds) },
        )
        .map(({ id }) => id),
    wantsReport: async (userId) =>
      db.get("SELECT 1 FROM noise_readers WHERE user_id = :userId AND is_wanted = 0", { userId }) === undefined,
    setWantsReport: (userId, isWanted, now) =>
      db.write(() => {
        db.run(
          `INSERT INTO noise_readers (user_id, told_until, is_wanted) VALUES (:userId, :now, :isWanted)
           ON CONFLICT DO UPDATE SET is_wanted = excluded.is_wanted, told_until = max(told_until, excluded.told_until)`,
          { userId, now, isWanted: isWanted ? 1 : 0 },
        );
      }),
  };
}

export function createNoiseWork(db: SqliteConnection): NoiseWork {
  return {
    listNoisyRules: async (query) => db.read(() => listNoisyRules(db, query, () => true)),
    listFiredIssues: async ({ ruleId, from, to }) =>
      db
        .all<{ id: number }>(
          `SELECT DISTINCT issue_id AS id FROM alert_firings
           WHERE rule_id = :ruleId AND is_known = 0 AND at >= :from AND at < :to LIMIT ${MAX_FIRINGS}`,
          { ruleId, from, to },
        )
        .map(({ id }) => id),
    listLookedAt: async () =>
      new Map(
        db
          .all<{ ruleId: number; lookedAt: number }>(
            `SELECT l.rule_id AS ruleId, l.looked_at AS lookedAt FROM alert_lines AS l
             JOIN alert_rules AS r ON r.id = l.rule_id AND r.changed_at = l.rule_changed_at`,
          )
          .map(({ ruleId, lookedAt }) => [ruleId, lookedAt]),
      ),
    saveLine: ({ ruleId, ruleChangedAt, lookedAt, suggested }) =>
      db.write(() => {
        db.run(
          `INSERT INTO alert_lines (rule_id, looked_at, rule_changed_at, line, times, own_times)
           SELECT id, :lookedAt, :ruleChangedAt, :line, :times, :ownTimes FROM alert_rules WHERE id = :ruleId
           ON CONFLICT DO UPDATE SET looked_at = excluded.looked_at, rule_changed_at = excluded.rule_changed_at,
             line = excluded.line, times = excluded.times, own_times = excluded.own_times`,
          {
            ruleId,
            lookedAt,
            ruleChangedAt,
            line: suggested?.line ?? null,
            times: suggested?.times ?? null,
            ownTimes: suggested?.ownTimes ?? null,
          },
        );
      }),
    listReaders: async () =>
      db.all<NoiseReader>(
        `SELECT m.user_id AS userId, ifnull(p.reach ->> 'timezone', q.timezone) AS timezone, r.told_until AS toldUntil
         FROM members AS m
         LEFT JOIN personal_reach AS p ON p.user_id = m.user_id
         LEFT JOIN quiet_hours AS q ON q.user_id = m.user_id
         LEFT JOIN noise_readers AS r ON r.user_id = m.user_id
         WHERE m.removed_at IS NULL AND ifnull(r.is_wanted, 1) = 1 ORDER BY m.user_id`,
      ),
    noteReaders: (userIds, until) =>
      db.write(() => {
        for (const userId of userIds) noteReader(db, userId, until);
      }),
    tellReader: ({ userId, until, now, createKey }) =>
      db.write(() => {
        const known = db.get<{ toldUntil: number }>(
          "SELECT told_until AS toldUntil FROM noise_readers WHERE user_id = :userId",
          { userId },
        );
        if (known !== undefined && known.toldUntil >= until) return false;
        noteReader(db, userId, until);
        addNews(db, {
          target: { projectId: 0, channel: "person", address: String(userId) },
          items: [{ transition: "noise", issueId: 0, eventId: "", at: until, release: null }],
          now,
          createKey,
        });
        return true;
      }),
  };
}

/** Within a write transaction. `until` may be earlier than before: a clock that was ahead must not keep a person from being told. */
function noteReader(db: SqliteConnection, userId: number, until: number): void {
  db.run(
    `INSERT INTO noise_readers (user_id, told_until, is_wanted) VALUES (:userId, :until, 1)
     ON CONFLICT DO UPDATE SET told_until = excluded.told_until`,
    { userId, until },
  );
}

function listNoisyRules(
  db: SqliteConnection,
  { from, to, now, limit }: NoiseQuery,
  isWanted: (rule: AlertRule) => boolean,
): NoisyRule[] {
  const loud = db.all<{ ruleId: number }>(
    `SELECT rule_id AS ruleId FROM alert_firings WHERE is_known = 0 AND at >= :from AND at < :to
     GROUP BY rule_id HAVING count(*) > ${MANY_FIRINGS} ORDER BY count(*) DESC, rule_id`,
    { from, to },
  );
  const rules = new Map(listEnabledRules(db).map(({ isPrimed: _, afterPosition: __, ...rule }) => [rule.id, rule]));
  const found: NoisyRule[] = [];
  for (const { ruleId } of loud) {
    const rule = rules.get(ruleId);
    if (rule === undefined || !isWanted(rule)) continue;
    if (found.length === limit) break;
    const noise = sumNoise(db, ruleId, { from, to, now });
    found.push({ rule, noise, suggested: findSuggestedLine(db, rule) });
  }
  return found;
}

function sumNoise(db: SqliteConnection, ruleId: number, range: { from: number; to: number; now: number }): RuleNoise {
  const sums = db.get<RuleNoise>(
    `SELECT count(*) AS fired, ifnull(sum(told), 0) AS messages, ifnull(sum(isAcknowledged), 0) AS acknowledged,
       ifnull(sum(isActed), 0) AS acted,
       count(*) FILTER (WHERE NOT isActed AND at + ${ACTING_MS} <= :now) AS leftAlone,
       count(*) FILTER (WHERE NOT isActed AND at + ${ACTING_MS} > :now) AS undecided
     FROM (SELECT f.at, f.target_count AS told, EXISTS (SELECT 1 ${ANSWER} AND ${IS_ACT}) AS isActed,
         EXISTS (SELECT 1 ${ANSWER} AND a.kind = 'acknowledged') AS isAcknowledged
       FROM alert_firings AS f WHERE f.rule_id = :ruleId AND f.is_known = 0 AND f.at >= :from AND f.at < :to)`,
    { ruleId, ...range },
  );
  const steps = db.get<{ count: number }>(
    `SELECT ifnull(sum(json_array_length(t.value -> 'targets')), 0) AS count FROM alert_periods AS p, json_each(p.told) AS t
     WHERE p.rule_id = :ruleId AND t.value ->> 'step' IS NOT NULL AND t.value ->> 'at' >= :from AND t.value ->> 'at' < :to`,
    { ruleId, from: range.from, to: range.to },
  );
  if (sums === undefined) throw new Error("sums have a row");
  return { ...sums, messages: sums.messages + (steps?.count ?? 0) };
}

/** Null: no other line was found for the rule's present settings. */
function findSuggestedLine(db: SqliteConnection, { id, changedAt }: AlertRule): SuggestedLine | null {
  const sql = `SELECT line, times, own_times AS ownTimes FROM alert_lines
    WHERE rule_id = :id AND rule_changed_at = :changedAt AND line IS NOT NULL`;
  return db.get<SuggestedLine>(sql, { id, changedAt }) ?? null;
}
