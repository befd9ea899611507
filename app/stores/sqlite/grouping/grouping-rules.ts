import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import type { ProjectRuleTexts } from "../../../domain/grouping-rules/project-rules.ts";
import { listRuleTexts } from "../../../domain/grouping-rules/rule-use.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { GroupingRuleStore, StoredRules } from "../../state/grouping-rule-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { listSplitRules } from "./issue-splits.ts";
import { forgetUses } from "./rule-uses.ts";
import { noteRuleChange } from "./rule-version.ts";

interface RulesRow extends Omit<StoredRules, "changedBy"> {
  userId: number | null;
  userName: string | null;
}

export function getRules(db: SqliteConnection, scope: Scope, projectId: number): StoredRules | null {
  if (!includesProject(scope, projectId)) return null;
  const row = db.get<RulesRow>(
    `SELECT r.fingerprint_rules AS fingerprintRules, r.stack_rules AS stackRules, r.revision, r.changed_at AS changedAt,
       u.id AS userId, u.name AS userName
     FROM grouping_rules AS r LEFT JOIN users AS u ON u.id = r.user_id
     WHERE r.project_id = :projectId`,
    { projectId },
  );
  if (row === undefined) return { fingerprintRules: "", stackRules: "", revision: 0, changedAt: null, changedBy: null };
  const { userId, userName, ...rules } = row;
  return { ...rules, changedBy: userId === null || userName === null ? null : { id: userId, name: userName } };
}

/** Within a write transaction. */
export function saveRules(
  db: SqliteConnection,
  scope: Scope,
  { projectId, userId, at, revision, ...texts }: Parameters<GroupingRuleStore["saveRules"]>[1],
): Awaited<ReturnType<GroupingRuleStore["saveRules"]>> {
  const known = getRules(db, scope, projectId);
  const project = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId });
  if (known === null || project === undefined) return { ok: false, reason: "not-found" };
  if (revision !== undefined && revision !== known.revision) return { ok: false, reason: "changed-meanwhile" };
  db.run(
    `INSERT INTO grouping_rules (project_id, fingerprint_rules, stack_rules, revision, changed_at, user_id)
     VALUES (:projectId, :fingerprintRules, :stackRules, 1, :at, :userId)
     ON CONFLICT DO UPDATE SET fingerprint_rules = excluded.fingerprint_rules, stack_rules = excluded.stack_rules,
       revision = revision + 1, changed_at = excluded.changed_at, user_id = excluded.user_id`,
    {
      projectId,
      userId,
      at: Math.floor(at),
      fingerprintRules: texts.fingerprintRules ?? known.fingerprintRules,
      stackRules: texts.stackRules ?? known.stackRules,
    },
  );
  noteRuleChange(db);
  const kinds = [
    ["fingerprint", texts.fingerprintRules],
    ["stack", texts.stackRules],
  ] as const;
  for (const [kind, text] of kinds)
    if (text !== undefined) forgetUses(db, { projectId, kind, rules: listRuleTexts(text) });
  const rules = getRules(db, scope, projectId);
  if (rules !== null)
    db.note({
      action: "grouping.edit",
      target: { kind: "project", id: projectId, name: project.slug },
      before: toFields(known),
      after: toFields(rules),
    });
  return rules === null ? { ok: false, reason: "not-found" } : { ok: true, rules };
}

function toFields({ fingerprintRules, stackRules }: StoredRules): AuditFields {
  return { "fingerprint rules": fingerprintRules, "stack-trace rules": stackRules };
}

export function listRules(db: SqliteConnection): ProjectRuleTexts[] {
  const splits = listSplitRules(db);
  const texts = db.all<Omit<ProjectRuleTexts, "splits">>(
    `SELECT project_id AS projectId, fingerprint_rules AS fingerprintRules, stack_rules AS stackRules
     FROM grouping_rules WHERE fingerprint_rules <> '' OR stack_rules <> '' ORDER BY project_id`,
  );
  const withTexts = texts.map((each) => ({ ...each, splits: splits.get(each.projectId) ?? [] }));
  for (const { projectId } of texts) splits.delete(projectId);
  const withoutTexts = Array.from(splits, ([projectId, own]) => ({
    projectId,
    fingerprintRules: "",
    stackRules: "",
    splits: own,
  }));
  return [...withTexts, ...withoutTexts];
}
