import type { SqliteConnection } from "../connection.ts";

/** Ids of those that exist; null when all environments are meant. The empty name is that of events without one. */
export function findEnvironmentIds(db: SqliteConnection, names: string[] | undefined): number[] | null {
  if (names === undefined || names.length === 0) return null;
  return db
    .all<{ id: number }>(
      "SELECT id FROM environments WHERE name IN (SELECT value FROM json_each(:names)) ORDER BY id",
      { names: JSON.stringify(names) },
    )
    .map((row) => row.id);
}

/** Within a write transaction. */
export function requireEnvironmentId(db: SqliteConnection, name: string): number {
  const row = db.get<{ id: number }>("SELECT id FROM environments WHERE name = :name", { name });
  return row?.id ?? db.run("INSERT INTO environments (name) VALUES (:name)", { name }).insertedId;
}
