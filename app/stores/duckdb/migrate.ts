import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";

export interface Migration {
  number: number;
  /** File name, like `0001_events.sql`. */
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
 * Brings the database to the newest schema, all pending migrations in one transaction.
 * @throws {Error} when an applied migration was edited, when the database comes from a newer version, or when it is not
 * an event database.
 */
export async function migrate(connection: DuckDBConnection, migrations: Migration[]): Promise<void> {
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
        throw new Error(`migration ${name} of the event database failed`, { cause: error });
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

async function pendingMigrations(connection: DuckDBConnection, migrations: Migration[]): Promise<Migration[]> {
  const tables = await connection.runAndReadAll(
    "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()",
  );
  if (!tables.getRowsJS().some(([name]) => name === "schema_migrations")) {
    if (tables.currentRowCount > 0) throw new Error("not an event database of Culprit: it has other tables");
    return migrations;
  }
  const applied = await connection.runAndReadAll(
    "SELECT number, name, checksum FROM schema_migrations ORDER BY number",
  );
  for (const [number, name, checksum] of applied.getRowsJS()) {
    const known = migrations[Number(number) - 1];
    if (known === undefined) {
      throw new Error(`the event database comes from a newer version of Culprit: it has migration ${name}`);
    }
    if (known.name !== name || known.checksum !== checksum) {
      throw new Error(`migration ${known.name} was changed after the event database had applied it as ${name}`);
    }
  }
  return migrations.slice(applied.currentRowCount);
}
