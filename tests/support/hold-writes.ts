import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestServer } from "./start-server.ts";

/**
 * Lets the writes of new rows to a table of the server's state fail until it is released: a job that needs them begins again and again, and is
 * not done. The server logs each failure.
 */
export function holdWrites({ dataDir }: Pick<TestServer, "dataDir">, table: string): { release(): void } {
  const db = new DatabaseSync(join(dataDir, "state.sqlite"), { timeout: 10_000 });
  db.exec(`CREATE TRIGGER held BEFORE INSERT ON ${table} BEGIN SELECT raise(ABORT, 'held by a test'); END`);
  return {
    release: () => {
      db.exec("DROP TRIGGER held");
      db.close();
    },
  };
}
