import type { AuditFields, AuditValue } from "../../../domain/audit/audit-entry.ts";
import type { FilterCondition } from "../../../domain/filters/filter-settings.ts";
import { isRecord } from "../../../domain/is-record.ts";
import { type ProjectRules, type RuleKind, type StoredRules, toProjectRules } from "../../../domain/project-rules.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";
import { noteRulesChange } from "../issues/suggestions.ts";

interface RuleRow {
  project_id: number;
  kind: RuleKind;
  rules: string;
}

export function getRules(db: SqliteConnection, scope: Scope, projectId: number): ProjectRules | null {
  if (!includesProject(scope, projectId)) return null;
  if (db.get("SELECT 1 FROM projects WHERE id = :projectId", { projectId }) === undefined) return null;
  const rows = db.all<RuleRow>("SELECT project_id, kind, rules FROM project_rules WHERE project_id = :projectId", {
    projectId,
  });
  return toProjectRules(joinRows(rows).get(projectId) ?? {});
}

/** The rules of all projects that have any. */
export function listRules(db: SqliteConnection): Map<number, ProjectRules> {
  const stored = joinRows(db.all<RuleRow>("SELECT project_id, kind, rules FROM project_rules"));
  return new Map([...stored].map(([projectId, rules]) => [projectId, toProjectRules(rules)]));
}

/** Within a write transaction. */
export function saveRules<Kind extends RuleKind>(
  db: SqliteConnection,
  scope: Scope,
  projectId: number,
  kind: Kind,
  rules: ProjectRules[Kind],
): boolean {
  const before = getRules(db, scope, projectId);
  if (before === null) return false;
  db.run(
    `INSERT INTO project_rules (project_id, kind, rules) VALUES (:projectId, :kind, :rules)
     ON CONFLICT DO UPDATE SET rules = excluded.rules`,
    { projectId, kind, rules: JSON.stringify(rules) },
  );
  db.run("UPDATE configuration SET version = version + 1 WHERE id = 1");
  if (kind === "ownership") noteRulesChange(db, projectId);
  const { slug = "" } =
    db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId }) ?? {};
  db.note({
    action: "project.rules",
    target: { kind: "project", id: projectId, name: slug },
    before: toAuditFields(before[kind]),
    after: toAuditFields(rules),
  });
  return true;
}

function toAuditFields(rules: object): AuditFields {
  return Object.fromEntries(
    // The key of hashes is a secret.
    Object.entries(rules)
      .filter(([name]) => name !== "hashKey")
      .map(([name, value]: [string, unknown]) => [
        name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        isConditions(value) ? value.map(sayCondition) : isAuditValue(value) ? value : JSON.stringify(value),
      ]),
  );
}

function isConditions(value: unknown): value is FilterCondition[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isRecord(item) && "search" in item);
}

function sayCondition({ name, search, isEnabled }: FilterCondition): string {
  return `${name}: ${search}${isEnabled ? "" : " (off)"}`;
}

function isAuditValue(value: unknown): value is AuditValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string");
  return value === null || typeof value !== "object";
}

function joinRows(rows: readonly RuleRow[]): Map<number, StoredRules> {
  const byProject = new Map<number, StoredRules>();
  for (const { project_id: projectId, kind, rules } of rows) {
    byProject.set(projectId, { ...byProject.get(projectId), [kind]: JSON.parse(rules) });
  }
  return byProject;
}
