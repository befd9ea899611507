import { appendEntry } from "../sql/audit-log.ts";
import type { QueryRunner } from "../sql/query.ts";
import type { SqliteConnection } from "./connection.ts";

/** Runs queries that are written for all engines. Nothing else runs between the statements of a query. */
export function createQueryRunner(db: SqliteConnection): QueryRunner {
  return {
    read: async (query) => db.read(() => db.perform(query())),
    write: (query) => db.write(() => db.perform(query())),
    note: (note) => appendEntry(note, db.actors.getStore(), Date.now()),
  };
}
