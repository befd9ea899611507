import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";

/** Enough for the statements of each table, and for the columns that its batches often leave empty. */
const MAX_STATEMENTS = 40;

/** The prepared statements of one connection. */
export class PreparedStatements {
  readonly #bySql = new Map<string, DuckDBPreparedStatement>();

  async prepare(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
    let statement = this.#bySql.get(sql);
    if (!statement) {
      if (this.#bySql.size >= MAX_STATEMENTS) this.forget();
      statement = await connection.prepare(sql);
      this.#bySql.set(sql, statement);
    }
    return statement;
  }

  /** Destroys the statements. They keep a database open, and are invalid once its file was attached again. */
  forget(): void {
    for (const statement of this.#bySql.values()) statement.destroySync();
    this.#bySql.clear();
  }
}
