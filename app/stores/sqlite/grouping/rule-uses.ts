import type { RuleUse } from "../../../domain/grouping-rules/rule-use.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";

/** The most rules that are listed: those of both texts, and some that were edited lately. */
const MAX_LISTED = 500;

interface Use {
  projectId: number;
  kind: RuleUse["kind"];
  rule: string;
  eventCount: number;
  lastAt: number;
}

export function listUses(db: SqliteConnection, scope: Scope, projectId: number): RuleUse[] {
  if (!includesProject(scope, projectId)) return [];
  return db.all<RuleUse>(
    `SELECT kind, rule, event_count AS eventCount, last_at AS lastAt FROM rule_uses
     WHERE project_id = :projectId AND kind IN ('fingerprint', 'stack') ORDER BY event_count DESC LIMIT ${MAX_LISTED}`,
    { projectId },
  );
}

/** Counts which rules, merges and splits decided about these new occurrences. Within a write transaction. */
export function countUses(db: SqliteConnection, occurrences: readonly IssueOccurrence[]): void {
  const uses = new Map<string, Use>();
  const count = (occurrence: IssueOccurrence, kind: Use["kind"], rule: string) => {
    const { projectId, receivedAt } = occurrence;
    const key = `${projectId} ${kind} ${rule}`;
    const use = uses.get(key) ?? { projectId, kind, rule, eventCount: 0, lastAt: 0 };
    use.eventCount++;
    use.lastAt = Math.max(use.lastAt, Math.floor(receivedAt));
    uses.set(key, use);
  };
  const merges = findMerges(db, occurrences);
  for (const occurrence of occurrences) {
    const { ruling } = occurrence.grouping;
    if (ruling?.fingerprint !== undefined) count(occurrence, "fingerprint", ruling.fingerprint.text);
    for (const text of ruling?.stack ?? []) count(occurrence, "stack", text);
    if (ruling?.split !== undefined) count(occurrence, "split", String(ruling.split.id));
    if (merges.size === 0) continue;
    const hash = occurrence.hashes.find((each) => merges.has(`${occurrence.projectId} ${each}`));
    if (hash !== undefined) count(occurrence, "merge", String(merges.get(`${occurrence.projectId} ${hash}`)));
  }
  for (const use of uses.values())
    db.run(
      `INSERT INTO rule_uses (project_id, kind, rule, event_count, last_at)
       VALUES (:projectId, :kind, :rule, :eventCount, :lastAt)
       ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count, last_at = max(last_at, excluded.last_at)`,
      { ...use },
    );
}

/** Forgets rules that are no longer in the texts, within a write transaction. */
export function forgetUses(
  db: SqliteConnection,
  { projectId, kind, rules }: { projectId: number; kind: "fingerprint" | "stack"; rules: readonly string[] },
): void {
  db.run(
    `DELETE FROM rule_uses WHERE project_id = :projectId AND kind = :kind AND rule NOT IN (SELECT value FROM json_each(:rules))`,
    { projectId, kind, rules: JSON.stringify(rules) },
  );
}

/** The merges by project and hash, from an index with merged hashes only. */
function findMerges(db: SqliteConnection, occurrences: readonly IssueOccurrence[]): Map<string, number> {
  const asked = new Map<number, Set<string>>();
  for (const { projectId, hashes } of occurrences) {
    const known = asked.get(projectId) ?? new Set();
    for (const hash of hashes) known.add(hash);
    asked.set(projectId, known);
  }
  const found = new Map<string, number>();
  for (const [projectId, hashes] of asked) {
    const rows = db.all<{ hash: string; mergeId: number }>(
      `SELECT h.hash, h.merge_id AS mergeId FROM json_each(:hashes) AS asked
       CROSS JOIN issue_hashes AS h ON h.project_id = :projectId AND h.hash = asked.value AND h.merge_id IS NOT NULL`,
      { projectId, hashes: JSON.stringify([...hashes]) },
    );
    for (const { hash, mergeId } of rows) found.set(`${projectId} ${hash}`, mergeId);
  }
  return found;
}
