import type { SqliteConnection } from "../connection.ts";

/** Makes every thread that groups read the rules again. Within a write transaction. */
export function noteRuleChange(db: SqliteConnection): void {
  db.run("UPDATE grouping_rules_version SET version = version + 1 WHERE id = 1");
}

export function readVersion(db: SqliteConnection): number {
  return db.get<{ version: number }>("SELECT version FROM grouping_rules_version WHERE id = 1")?.version ?? 0;
}
