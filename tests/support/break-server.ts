import { DatabaseSync } from "node:sqlite";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import type { TestServer } from "./start-server.ts";

/** Ways in which data can be broken under a running server, without ingest or the digest noticing. */
const BREAKS = {
  /** Nobody can be recognized: every page fails, its frame included. */
  sessions: {
    begin: "ALTER TABLE sessions RENAME TO sessions_gone",
    end: "ALTER TABLE sessions_gone RENAME TO sessions",
  },
  /** Reading the keys of a project fails. */
  "reading keys": {
    begin: "ALTER TABLE project_keys RENAME TO project_keys_gone",
    end: "ALTER TABLE project_keys_gone RENAME TO project_keys",
  },
  /** Changing one fails. */
  "changing keys": {
    begin: `CREATE TRIGGER broken BEFORE UPDATE ON project_keys BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`,
    end: "DROP TRIGGER broken",
  },
  /** One was made at an instant that no calendar has: it is read, and cannot be drawn. */
  "drawing keys": {
    begin: "UPDATE project_keys SET created_at = created_at + 9000000000000000",
    end: "UPDATE project_keys SET created_at = created_at - 9000000000000000",
  },
} as const;

/** Breaks the server's data from outside, as a fault of the machine would; gives what fixes it. */
export function breakServer({ dataDir }: Pick<TestServer, "dataDir">, how: keyof typeof BREAKS): () => void {
  run(dataDir, BREAKS[how].begin);
  return () => run(dataDir, BREAKS[how].end);
}

function run(dataDir: string, sql: string): void {
  const database = new DatabaseSync(dataPaths(dataDir).state, { timeout: 10_000 });
  database.exec(sql);
  database.close();
}
