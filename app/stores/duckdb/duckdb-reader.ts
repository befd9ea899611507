import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBValue,
} from "@duckdb/node-api";

export type SqlValue = string | number | boolean | null;
export type SqlRow = Record<string, SqlValue>;

/** Prepared statements that are kept. Pages need a few dozen; filters make any number of others. */
const MAX_STATEMENTS = 64;

/**
 * A prepared statement holds the results of its common table expressions in memory: they were 70 of DuckDB's 122 MB after the hours of
 * 10,000,000 spans had been merged. Such statements are not kept.
 */
const HAS_TABLE_EXPRESSION = /\bWITH\s/;

/** A connection that reads, one query at a time. */
export class Reader {
  readonly connection: DuckDBConnection;
  /** The version of the views that its statements were prepared with. */
  viewVersion = 0;
  /** Least recently used first. */
  readonly #statements = new Map<string, DuckDBPreparedStatement>();

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  /** Rows as objects. The statement must cast whole numbers to DOUBLE. */
  async readRows(sql: string, values: SqlValue[]): Promise<SqlRow[]> {
    const result = await this.#run(sql, values);
    const names = result.deduplicatedColumnNames();
    const rows: SqlRow[] = [];
    for await (const chunk of chunksOf(result)) rows.push(...(chunk.getRowObjects(names) as SqlRow[]));
    return rows;
  }

  /** Like `readRows`, for results of many rows: a list of values for each column, in the order of the statement. */
  async readColumns(sql: string, values: SqlValue[]): Promise<SqlValue[][]> {
    const result = await this.#run(sql, values);
    const columns: SqlValue[][] = Array.from({ length: result.columnCount }, () => []);
    for await (const chunk of chunksOf(result)) {
      for (const [index, column] of columns.entries()) {
        for (const value of chunk.getColumnValues(index)) column.push(value as SqlValue);
      }
    }
    return columns;
  }

  /** Like `readColumns`, for columns of DOUBLE without NULL. It makes no object for each value. */
  async readNumbers(sql: string, values: SqlValue[]): Promise<Float64Array[]> {
    const result = await this.#run(sql, values);
    const columns = Array.from({ length: result.columnCount }, () => new Float64Array(result.rowCount));
    let length = 0;
    for await (const chunk of chunksOf(result)) {
      const { rowCount } = chunk;
      for (const [index, column] of columns.entries()) {
        const vector = chunk.getColumnVector(index);
        for (let row = 0; row < rowCount; row++) column[length + row] = vector.getItem(row) as number;
      }
      length += rowCount;
    }
    return columns;
  }

  /** Destroys prepared statements, which would keep the file attached and the connection open. Call it before either ends. */
  forgetStatements(): void {
    for (const statement of this.#statements.values()) statement.destroySync();
    this.#statements.clear();
  }

  /** Uses a kept statement: parsing and binding the same text each time takes a third of a millisecond, half of it on this thread. */
  async #run(sql: string, values: SqlValue[]): Promise<DuckDBMaterializedResult> {
    if (HAS_TABLE_EXPRESSION.test(sql)) return this.#runOnce(sql, values);
    const statement = this.#statements.get(sql) ?? (await this.connection.prepare(sql));
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > MAX_STATEMENTS) this.#forgetOldest();
    statement.bind(values satisfies DuckDBValue[]);
    return statement.run();
  }

  async #runOnce(sql: string, values: SqlValue[]): Promise<DuckDBMaterializedResult> {
    const statement = await this.connection.prepare(sql);
    try {
      statement.bind(values satisfies DuckDBValue[]);
      return await statement.run();
    } finally {
      statement.destroySync();
    }
  }

  #forgetOldest(): void {
    for (const [sql, statement] of this.#statements) {
      statement.destroySync();
      this.#statements.delete(sql);
      return;
    }
  }
}

/** Chunks of 2,048 rows each, between two turns of the event loop. */
const CHUNKS_AT_ONCE = 4;

/**
 * Reads the chunks of a result, which is in memory. Fetching them would send each through the thread pool. Other work gets a turn in
 * between.
 */
async function* chunksOf(result: DuckDBMaterializedResult): AsyncGenerator<DuckDBDataChunk> {
  const { chunkCount } = result;
  for (let index = 0; index < chunkCount; index++) {
    if (index > 0 && index % CHUNKS_AT_ONCE === 0) await nextTurn();
    yield result.getChunk(index);
  }
}
