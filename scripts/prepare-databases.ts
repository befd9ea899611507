// The part of the build that makes the databases that a first start copies (app/stores/sql/prepared-databases.ts). It runs the sources.
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePreparedEvents } from "../app/stores/duckdb/event-database-file.ts";
import { readEventMigrations } from "../app/stores/duckdb/migrate.ts";
import { PREPARED_DATABASES, writePrepared } from "../app/stores/sql/prepared-databases.ts";
import { readStateMigrations } from "../app/stores/sqlite/migrate.ts";
import { openSqliteState } from "../app/stores/sqlite/open-sqlite-state.ts";

/** @param folder emptied before */
export async function prepareDatabases(folder = PREPARED_DATABASES): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const temp = mkdtempSync(join(tmpdir(), "culprit-databases-"));
  try {
    const path = join(temp, "state.sqlite");
    await (await openSqliteState({ path })).close();
    await writePrepared("sqlite", readStateMigrations(), await readFile(path), folder);
    const events = await makePreparedEvents({
      path: join(temp, "events.duckdb"),
      tempDir: join(temp, "events.tmp"),
      memoryLimitMb: 128,
      threads: 1,
      readerCount: 1,
      readTimeoutMs: 60_000,
    });
    await writePrepared("duckdb", readEventMigrations(), events, folder);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}
