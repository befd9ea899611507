import { type AppliedMigration, findPending, type Migration, readMigrations } from "../sql/migrations.ts";
import type { SqliteConnection } from "./connection.ts";

export function readStateMigrations(): Migration[] {
  return readMigrations(new URL("./migrations/", import.meta.url));
}

/**
 * Brings the database to the newest schema, all pending migrations in one transaction. Several connections may do so at
 * once: the later ones wait, and find nothing left to do.
 * @throws {Error} when an applied migration was edited, when the database comes from a newer version, when it is not a
 * state database, or when it is read-only and out of date.
 */
export async function migrate(connection: SqliteConnection, migrations: readonly Migration[]): Promise<void> {
  if (pendingMigrations(connection, migrations).length === 0) return;
  if (connection.isReadOnly) {
    throw new Error(`the state database ${connection.path} has an older schema, and was opened only for reading`);
  }
  await connection.write(() => {
    connection.exec(`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        checksum TEXT NOT NULL,
        applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%TZ'))
      ) STRICT`);
    for (const { number, name, sql, checksum } of pendingMigrations(connection, migrations)) {
      try {
        connection.exec(sql);
      } catch (error) {
        throw new Error(`migration ${name} of the state database ${connection.path} failed`, { cause: error });
      }
      connection.run("INSERT INTO schema_migrations (number, name, checksum) VALUES (:number, :name, :checksum)", {
        number,
        name,
        checksum,
      });
    }
  });
}

function pendingMigrations(connection: SqliteConnection, migrations: readonly Migration[]): Migration[] {
  const tables = connection.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  if (!tables.some((table) => table.name === "schema_migrations")) {
    if (tables.length > 0)
      throw new Error(`${connection.path} is not a state database of Culprit: it has other tables`);
    return [...migrations];
  }
  const applied = connection.all<AppliedMigration>(
    "SELECT number, name, checksum FROM schema_migrations ORDER BY number",
  );
  return findPending(migrations, applied, `the state database ${connection.path}`);
}
