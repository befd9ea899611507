import type { DuckDBConnection } from "@duckdb/node-api";
import { findPending, type Migration, readMigrations } from "../sql/migrations.ts";

const DATABASE = "the event database";

export function readEventMigrations(): Migration[] {
  return readMigrations(new URL("./migrations/", import.meta.url));
}

/**
 * Brings the database to the newest schema, all pending migrations in one transaction.
 * @throws {Error} when an applied migration was edited, when the database comes from a newer version, or when it is not
 * an event database.
 */
export async function migrate(connection: DuckDBConnection, migrations: readonly Migration[]): Promise<void> {
  const pending = await pendingMigrations(connection, migrations);
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
    for (const { number, name, sql, checksum } of pending) {
      try {
        await connection.run(sql);
      } catch (error) {
        throw new Error(`migration ${name} of ${DATABASE} failed`, { cause: error });
      }
      await connection.run("INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)", [
        number,
        name,
        checksum,
      ]);
    }
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK");
    throw error;
  }
}

async function pendingMigrations(connection: DuckDBConnection, migrations: readonly Migration[]): Promise<Migration[]> {
  const tables = await connection.runAndReadAll(
    "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()",
  );
  if (!tables.getRowsJS().some(([name]) => name === "schema_migrations")) {
    if (tables.currentRowCount > 0) throw new Error("not an event database of Culprit: it has other tables");
    return [...migrations];
  }
  const applied = await connection.runAndReadAll(
    "SELECT number, name, checksum FROM schema_migrations ORDER BY number",
  );
  const rows = applied.getRowsJS().map(([number, name, checksum]) => ({
    number: Number(number),
    name: String(name),
    checksum: String(checksum),
  }));
  return findPending(migrations, rows, DATABASE);
}
