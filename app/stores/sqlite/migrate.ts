import * as sql from "../sql/migrations.ts";
import type { SqliteConnection } from "./connection.ts";

export function readStateMigrations(): sql.Migration[] {
  return sql.readMigrations(new URL("./migrations/", import.meta.url));
}

/**
 * Brings the database to the newest schema, all pending migrations in one transaction. Several connections may call it at once: the later
 * ones wait, and find nothing to do.
 * @throws {Error} when an applied migration was edited, when the database comes from a newer version, when it is not a state database, or
 * when it is read-only and out of date
 */
export async function migrate(connection: SqliteConnection, migrations: readonly sql.Migration[]): Promise<void> {
  const database = `the state database ${connection.path}`;
  const listPending = () => {
    const tables = connection.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const isMigrated = sql.hasMigrations(new Set(tables.map(({ name }) => name)), database);
    return sql.findPending(migrations, isMigrated ? connection.all(sql.APPLIED_MIGRATIONS) : [], database);
  };
  if (listPending().length === 0) return;
  if (connection.isReadOnly) throw new Error(`${database} has an older schema, and was opened only for reading`);
  await connection.write(() => {
    connection.exec(`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        checksum TEXT NOT NULL,
        applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%TZ'))
      ) STRICT`);
    for (const migration of listPending()) {
      try {
        connection.exec(sql.migrationScript(migration));
      } catch (error) {
        throw new Error(`migration ${migration.name} of ${database} failed`, { cause: error });
      }
    }
  });
}
