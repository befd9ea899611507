import type { DuckDBConnection } from "@duckdb/node-api";
import * as sql from "../sql/migrations.ts";

const DATABASE = "the event database";

export function readEventMigrations(): sql.Migration[] {
  return sql.readMigrations(new URL("./migrations/", import.meta.url));
}

/**
 * Brings the database to the newest schema, all pending migrations in one transaction.
 * @throws {Error} when an applied migration was edited, when the database comes from a newer version, or when it is not
 * an event database.
 */
export async function migrate(connection: DuckDBConnection, migrations: readonly sql.Migration[]): Promise<void> {
  const pending = sql.findPending(migrations, await listApplied(connection), DATABASE);
  if (pending.length === 0) return;
  await connection.run("BEGIN");
  try {
    await connection.run(`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number INTEGER NOT NULL,
        name VARCHAR NOT NULL,
        checksum VARCHAR NOT NULL,
        applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
      )`);
    for (const migration of pending) {
      try {
        await connection.run(sql.migrationScript(migration));
      } catch (error) {
        throw new Error(`migration ${migration.name} of ${DATABASE} failed`, { cause: error });
      }
    }
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK");
    throw error;
  }
}

async function listApplied(connection: DuckDBConnection): Promise<sql.AppliedMigration[]> {
  const tables = await connection.runAndReadAll(
    "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()",
  );
  if (!sql.hasMigrations(new Set(tables.getRowsJS().map(String)), DATABASE)) return [];
  const applied = await connection.runAndReadAll(sql.APPLIED_MIGRATIONS);
  return applied.getRowObjectsJS() as unknown as sql.AppliedMigration[];
}
