import pg from "pg";
import { appendEntry } from "../../app/stores/sql/audit-log.ts";
import type { Query, QueryRunner, SqlParams } from "../../app/stores/sql/query.ts";

/** Counts and instants are whole numbers below 2^53, as in SQLite. */
const NUMBERS: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** Runs queries that are written for every engine: one round trip for each statement. */
export function createPostgresQueryRunner(pool: pg.Pool): QueryRunner {
  async function perform<Result>(client: pg.PoolClient, query: Query<Result>): Promise<Result> {
    let step = query.next();
    while (!step.done) {
      const { text, values } = toPositional(step.value.sql, step.value.params);
      const { rows, rowCount } = await client.query({ text, values, types: NUMBERS });
      step = query.next({ rows, changedRows: rowCount ?? 0 });
    }
    return step.value;
  }

  async function transact<Result>(begin: string, query: () => Query<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      await client.query(begin);
      const result = await perform(client, query());
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    } finally {
      client.release();
    }
  }

  return {
    read: (query) => transact("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", query),
    write: (query) => transact("BEGIN", query),
    note: (note) => appendEntry(note, undefined, Date.now()),
  };
}

/** `:name` becomes `$1`; the same name is the same number. */
function toPositional(sql: string, params: SqlParams): { text: string; values: unknown[] } {
  const names: string[] = [];
  const text = sql.replace(/(?<!:):([a-z_]\w*)/gi, (_, name: string) => {
    if (params[name] === undefined) throw new TypeError(`SQL parameter :${name} is missing`);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, values: names.map((name) => params[name]) };
}
