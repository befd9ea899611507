import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { SqliteConnection } from "./connection.ts";

export interface Migration {
  number: number;
  /** File name, like `0001_state.sql`. */
  name: string;
  sql: string;
  /** SHA-256 of the text with line ends as LF, in hex: a checkout with CRLF is not drift. */
  checksum: string;
}

const FILE_NAME = /^(\d{4})_[a-z0-9-]+\.sql$/;

/** @throws {Error} when a file has another name than `0001_topic.sql`, or a number is missing or there twice. */
export function readMigrations(folder: URL = new URL("./migrations/", import.meta.url)): Migration[] {
  return readdirSync(folder)
    .sort()
    .map((name, index) => {
      const number = Number(FILE_NAME.exec(name)?.[1] ?? "NaN");
      if (number !== index + 1) {
        throw new Error(`migration ${name}: expected number ${index + 1}, in a name like 0001_topic.sql`);
      }
      return toMigration(name, number, readFileSync(new URL(name, folder), "utf8"));
    });
}

export function toMigration(name: string, number: number, text: string): Migration {
  const sql = text.replaceAll("\r\n", "\n");
  return { number, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}

/**
 * Brings the database to the newest schema, all pending migrations in one transaction. Several connections may do so at
 * once: the later ones wait, and find nothing left to do.
 * @throws {Error} when an applied migration was edited, when the database comes from a newer version, when it is not a
 * state database, or when it is read-only and out of date.
 */
export async function migrate(connection: SqliteConnection, migrations: Migration[]): Promise<void> {
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

function pendingMigrations(connection: SqliteConnection, migrations: Migration[]): Migration[] {
  const tables = connection.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  if (!tables.some((table) => table.name === "schema_migrations")) {
    if (tables.length > 0)
      throw new Error(`${connection.path} is not a state database of Culprit: it has other tables`);
    return migrations;
  }
  const applied = connection.all<{ number: number; name: string; checksum: string }>(
    "SELECT number, name, checksum FROM schema_migrations ORDER BY number",
  );
  for (const { number, name, checksum } of applied) {
    const known = migrations[number - 1];
    if (known === undefined) {
      throw new Error(
        `the state database ${connection.path} was made by a newer version of Culprit: it has migration ${name}, and this ` +
          `version knows ${migrations.length}. Start the newer version, or restore a backup from before it.`,
      );
    }
    if (known.checksum !== checksum) {
      throw new Error(
        `migration ${known.name} was changed after it had been applied to ${connection.path}. ` +
          "Put the file back as it was, and make changes in a new migration.",
      );
    }
  }
  return migrations.slice(applied.length);
}
