import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** A numbered `.sql` file: one step from an older schema of a database to a newer one. */
export interface Migration {
  number: number;
  /** File name, like `0001_state.sql`. */
  name: string;
  sql: string;
  /** SHA-256 of the text with line ends as LF, in hex: a checkout with CRLF is not drift. */
  checksum: string;
}

/** As a database remembers it. */
export type AppliedMigration = Pick<Migration, "number" | "name" | "checksum">;

const FILE_NAME = /^(\d{4})_[a-z0-9-]+\.sql$/;

/** @throws {Error} when a file has another name than `0001_topic.sql`, or a number is missing or there twice. */
export function readMigrations(folder: URL): Migration[] {
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

/** Reads the rows of `schema_migrations`, in order. */
export const APPLIED_MIGRATIONS = "SELECT number, name, checksum FROM schema_migrations ORDER BY number";

/** SQL that applies a migration and remembers it in `schema_migrations`. */
export function migrationScript({ number, name, sql, checksum }: Migration): string {
  return `${sql}
    ;INSERT INTO schema_migrations (number, name, checksum) VALUES (${number}, '${name}', '${checksum}')`;
}

/** Whether a database has `schema_migrations` among its tables. @throws {Error} when it has only others. */
export function hasMigrations(tables: ReadonlySet<string>, database: string): boolean {
  if (tables.size === 0 || tables.has("schema_migrations")) return tables.size > 0;
  throw new Error(`${database} was not made by Culprit: it has other tables`);
}

/**
 * What is still to be applied. `applied` is in the order of numbers; `database` is what messages call it, like
 * `the state database /data/state.db`.
 *
 * @throws {Error} when an applied migration was edited, or when the database comes from a newer version.
 */
export function findPending(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  database: string,
): Migration[] {
  for (const { number, name, checksum } of applied) {
    const known = migrations[number - 1];
    if (known === undefined) {
      throw new Error(
        `${database} was made by a newer version of Culprit: it has migration ${name}, and this version knows ` +
          `${migrations.length}. Start the newer version, or restore a backup from before it.`,
      );
    }
    if (known.name !== name || known.checksum !== checksum) {
      throw new Error(
        `migration ${known.name} was changed after it had been applied to ${database} as ${name}. ` +
          "Put the file back as it was, and make changes in a new migration.",
      );
    }
  }
  return migrations.slice(applied.length);
}
