import type { AuditNote } from "../../domain/audit/audit-entry.ts";

/** Values that every engine takes. Booleans become 0 and 1 at the caller, instants are whole milliseconds. */
export type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** SQL with named parameters (`:name`), in the words that SQLite and PostgreSQL share. */
export interface Statement {
  sql: string;
  params: SqlParams;
}

export interface StatementResult {
  rows: unknown[];
  /** How many rows it changed, for a statement without rows of its own. */
  changedRows: number;
}

/**
 * What a store does, written once for every engine: it yields statements and gets their results. An engine runs it to its
 * end in one transaction, SQLite without ever waiting, PostgreSQL with a round trip for each statement.
 */
export type Query<Result> = Generator<Statement, Result, StatementResult>;

export function* all<Row>(sql: string, params: SqlParams = {}): Query<Row[]> {
  const { rows } = yield { sql, params };
  return rows as Row[];
}

export function* get<Row>(sql: string, params: SqlParams = {}): Query<Row | undefined> {
  const [row] = yield* all<Row>(sql, params);
  return row;
}

/** Gives how many rows the statement changed. */
export function* run(sql: string, params: SqlParams = {}): Query<number> {
  return (yield { sql, params }).changedRows;
}

/** How an engine runs queries. It may begin one again, when another writer was in its way. */
export interface QueryRunner {
  /** For queries that only read. */
  read<Result>(query: () => Query<Result>): Promise<Result>;
  /** In a transaction that is rolled back when the query throws. */
  write<Result>(query: () => Query<Result>): Promise<Result>;
  /** Adds an entry to the audit log, as a part of the write of the change. */
  note(note: AuditNote): Query<void>;
}
