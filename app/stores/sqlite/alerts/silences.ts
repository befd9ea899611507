import { maySeeRule } from "../../../domain/alerts/alert-rule.ts";
import {
  type AlertSilence,
  MAX_SILENCES,
  SILENCE_KEPT_MS,
  type SilenceDraft,
  sayCovered,
} from "../../../domain/alerts/silence.ts";
import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { asFields } from "../../sql/columns.ts";
import type { ListedSilence, SilenceStore } from "../../state/silence-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { getRule } from "./rules.ts";

const COLUMNS = asFields("s.id, s.rule_id, s.project_id, s.environment, s.reason, s.made_by, s.starts_at, s.ends_at");
const HELD = `(SELECT ifnull(sum(times), 0) FROM alert_outcomes AS o
  WHERE o.silence_id = s.id AND o.project_id IN (SELECT value FROM json_each(:scopeIds))) AS held`;

export function createSilenceStore(db: SqliteConnection): SilenceStore {
  return {
    listSilences: async (scope, now) =>
      db.read(() =>
        db
          .all<ListedSilence>(
            `SELECT ${COLUMNS}, ${HELD} FROM alert_silences AS s WHERE s.ends_at > :since
             ORDER BY s.ends_at > :now DESC, s.ends_at DESC, s.id DESC LIMIT ${2 * MAX_SILENCES}`,
            { now, since: now - SILENCE_KEPT_MS, scopeIds: JSON.stringify(scope.projectIds) },
          )
          .filter((silence) => isSeen(db, scope, silence)),
      ),
    getSilence: async (scope, silenceId) => db.read(() => getSilence(db, scope, silenceId)),
    createSilence: (scope, draft, at) => db.write(() => createSilence(db, scope, draft, Math.floor(at))),
    moveSilenceEnd: (scope, silenceId, endsAt) =>
      db.write(() => {
        const before = getSilence(db, scope, silenceId);
        if (before === null) return null;
        const end = Math.max(before.startsAt, Math.floor(endsAt));
        db.run("UPDATE alert_silences SET ends_at = :end WHERE id = :silenceId", { silenceId, end });
        const { held: _, ...silence } = { ...before, endsAt: end };
        db.note({
          action: "silence.edit",
          target: toTarget(db, silence),
          before: { ends: toInstant(before.endsAt) },
          after: { ends: toInstant(end) },
        });
        return silence;
      }),
  };
}

/** The silences that hold at some time of the range. */
export function listSilencesBetween(db: SqliteConnection, from: number, to: number): AlertSilence[] {
  return db.all<AlertSilence>(
    `SELECT ${COLUMNS} FROM alert_silences AS s WHERE s.ends_at > :from AND s.starts_at <= :to ORDER BY s.id LIMIT 1000`,
    { from, to },
  );
}

function createSilence(
  db: SqliteConnection,
  scope: Scope,
  draft: SilenceDraft,
  at: number,
): Awaited<ReturnType<SilenceStore["createSilence"]>> {
  if (!isSeen(db, scope, draft)) return { ok: false, reason: "gone" };
  const holding = "SELECT count(*) AS count FROM alert_silences WHERE ends_at > :at";
  if ((db.get<{ count: number }>(holding, { at })?.count ?? 0) >= MAX_SILENCES) return { ok: false, reason: "full" };
  db.run("DELETE FROM alert_silences WHERE ends_at <= :before", { before: at - SILENCE_KEPT_MS });
  const { ruleId, projectId, environment, reason, madeBy, endsAt } = draft;
  const { insertedId } = db.run(
    `INSERT INTO alert_silences (rule_id, project_id, environment, reason, made_by, starts_at, ends_at)
     VALUES (:ruleId, :projectId, :environment, :reason, :madeBy, :at, :endsAt)`,
    { ruleId, projectId, environment, reason, madeBy, at, endsAt: Math.floor(endsAt) },
  );
  const silence = { ...draft, id: insertedId, startsAt: at, endsAt: Math.floor(endsAt) };
  const after: AuditFields = { reason, ends: toInstant(endsAt) };
  db.note({ action: "silence.create", target: toTarget(db, silence), after });
  return { ok: true, silence };
}

function getSilence(db: SqliteConnection, scope: Scope, silenceId: number): ListedSilence | null {
  const silence = db.get<ListedSilence>(`SELECT ${COLUMNS}, ${HELD} FROM alert_silences AS s WHERE s.id = :silenceId`, {
    silenceId,
    scopeIds: JSON.stringify(scope.projectIds),
  });
  return silence && isSeen(db, scope, silence) ? silence : null;
}

/** Whether the rule or project of the silence exists, and is in the scope. */
function isSeen(
  db: SqliteConnection,
  scope: Scope,
  { ruleId, projectId }: Pick<AlertSilence, "ruleId" | "projectId">,
): boolean {
  if (projectId !== null && !includesProject(scope, projectId)) return false;
  if (ruleId === null) return true;
  const rule = getRule(db, ruleId);
  return rule !== null && maySeeRule(scope, rule);
}

function toTarget(db: SqliteConnection, { id, ruleId, projectId, environment }: AlertSilence) {
  const rule = ruleId === null ? null : (getRule(db, ruleId)?.name ?? `rule ${ruleId}`);
  const project = projectId === null ? null : (nameProjects(db, [projectId])[0] ?? `project ${projectId}`);
  return { kind: "silence", id, name: sayCovered({ rule, project, environment }) };
}

function toInstant(at: number): string {
  return new Date(at).toISOString();
}
