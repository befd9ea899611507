import { type AlertOutcome, MAX_DETAIL, MAX_OUTCOMES } from "../../../domain/alerts/outcome.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields } from "../../sql/columns.ts";
import type { OutcomeQuery, SeenByRule } from "../../state/alert-store.ts";
import type { SqliteConnection } from "../connection.ts";

const COLUMNS = asFields("id, rule_id, project_id, issue_id, trigger, outcome, detail, silence_id, at, last_at, times");

/** The most targets that an entry names. */
const MAX_LISTED = 100;

/** Within a write transaction. Does nothing for a rule that was deleted. */
export function noteOutcome(db: SqliteConnection, { isRepeat = false, ...seen }: SeenByRule): void {
  const { ruleId, issueId, trigger, outcome } = seen;
  const silenceId = seen.silenceId ?? null;
  const detail = seen.targets
    ? JSON.stringify(seen.targets.slice(0, MAX_LISTED))
    : (seen.detail ?? "").slice(0, MAX_DETAIL);
  const at = Math.floor(seen.at);
  const last = db.get<{ id: number; outcome: string; detail: string; silenceId: number | null }>(
    `SELECT id, outcome, detail, silence_id AS silenceId FROM alert_outcomes
     WHERE rule_id = :ruleId AND issue_id = :issueId AND trigger = :trigger ORDER BY id DESC LIMIT 1`,
    { ruleId, issueId, trigger },
  );
  const isSame =
    outcome !== "fired" && last?.outcome === outcome && last.detail === detail && last.silenceId === silenceId;
  if (last && isSame) {
    db.run("UPDATE alert_outcomes SET last_at = max(last_at, :at), times = times + :more WHERE id = :id", {
      id: last.id,
      at,
      more: isRepeat ? 0 : 1,
    });
    return;
  }
  const { projectId } = seen;
  db.run(
    `INSERT INTO alert_outcomes (rule_id, project_id, issue_id, trigger, outcome, detail, silence_id, at, last_at, times)
     SELECT :ruleId, :projectId, :issueId, :trigger, :outcome, :detail, :silenceId, :at, :at, 1
     WHERE EXISTS (SELECT 1 FROM alert_rules WHERE id = :ruleId)`,
    { ruleId, projectId, issueId, trigger, outcome, detail, silenceId, at },
  );
}

/** Keeps the newest outcomes of a rule, within the write transaction that noted some. */
export function trimOutcomes(db: SqliteConnection, ruleId: number): void {
  db.run(
    `DELETE FROM alert_outcomes WHERE rule_id = :ruleId AND id <= (
       SELECT id FROM alert_outcomes WHERE rule_id = :ruleId ORDER BY id DESC LIMIT 1 OFFSET ${MAX_OUTCOMES})`,
    { ruleId },
  );
}

export function listOutcomes(
  db: SqliteConnection,
  scope: Scope,
  { ruleId = null, issueId = null, silenceId = null, outcome = null, limit }: OutcomeQuery,
): AlertOutcome[] {
  const params = { ruleId, issueId, silenceId, outcome };
  const where = [
    ruleId !== null && "rule_id = :ruleId",
    issueId !== null && "issue_id = :issueId",
    silenceId !== null && "silence_id = :silenceId",
    outcome !== null && "outcome = :outcome",
  ].filter((test) => test !== false);
  const used = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
  return db
    .all<Omit<AlertOutcome, "targets">>(
      `SELECT ${COLUMNS} FROM alert_outcomes
       WHERE project_id IN (SELECT value FROM json_each(:scopeIds)) AND ${where.join(" AND ") || "1"}
       ORDER BY id DESC LIMIT :limit`,
      { ...used, limit: Math.min(MAX_OUTCOMES, limit), scopeIds: JSON.stringify(scope.projectIds) },
    )
    .map((row) => {
      const isFired = row.outcome === "fired";
      return { ...row, detail: isFired ? "" : row.detail, targets: isFired ? JSON.parse(row.detail) : [] };
    });
}
