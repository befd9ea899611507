import type { DuckDBConnection } from "@duckdb/node-api";
import { createInTurn } from "../../domain/in-turn.ts";

/** The schema of the views, in memory. */
const VIEWS = "memory.views";

/** A range of rows. An absent bound: no limit on that side. */
export interface RowRange {
  /** When rows happened, in microseconds since 1970; `toUs` is exclusive. */
  fromUs?: number;
  toUs?: number;
  /** Both inclusive. */
  firstOrdinal?: number;
  lastOrdinal?: number;
  /** The category, for spans. */
  category?: string;
}

export interface ViewDefinition {
  /** Rows that the view has and the table does not have have lower ordinals. */
  upToOrdinal?: number;
  /** Columns that the view has and the table does not have. None of them may be missing in a later view. */
  hot?: readonly string[];
  /** SQL that has at least the rows of these ranges, and reads less than the view. */
  within?: RowsWithin;
}

type RowsWithin = (ranges: readonly RowRange[], columns?: readonly string[]) => string;

/** Views that readers see in place of the tables with the same names: see moved-days.ts. */
export class ReaderViews {
  /** The connection that defines the views. */
  readonly #connection: DuckDBConnection;
  /** The catalog of the tables. */
  readonly #catalog: string;
  readonly #inTurn = createInTurn();
  /** By table: rows at or above this ordinal are in the table itself. */
  readonly #upToOrdinal = new Map<string, number>();
  readonly #hotColumns = new Map<string, Set<string>>();
  readonly #within = new Map<string, RowsWithin>();
  #version = 0;

  private constructor(connection: DuckDBConnection, catalog: string) {
    this.#connection = connection;
    this.#catalog = catalog;
  }

  /** @param connection used for nothing else */
  static async open(connection: DuckDBConnection, catalog: string): Promise<ReaderViews> {
    await connection.run(`CREATE SCHEMA ${VIEWS}`);
    return new ReaderViews(connection, catalog);
  }

  /** Grows each time a view is defined. */
  get version(): number {
    return this.#version;
  }

  /** The search path of readers once the tables are attached: views before tables. */
  get searchPath(): string {
    return `${VIEWS},${this.#catalog}.main`;
  }

  /** See `DuckdbDatabase.defineView`. */
  define(table: string, sql: string | null, { upToOrdinal = 0, hot = [], within }: ViewDefinition): Promise<void> {
    return this.#inTurn(async () => {
      if (sql === null) await this.#connection.run(`DROP VIEW IF EXISTS ${VIEWS}.${table}`);
      else await this.#connection.run(`CREATE OR REPLACE VIEW ${VIEWS}.${table} AS ${sql}`);
      if (sql === null) this.#upToOrdinal.delete(table);
      else this.#upToOrdinal.set(table, upToOrdinal);
      if (sql === null || within === undefined) this.#within.delete(table);
      else this.#within.set(table, within);
      this.#hotColumns.set(table, new Set([...this.hotColumnsOf(table), ...hot]));
      this.#version++;
    });
  }

  hotColumnsOf(table: string): ReadonlySet<string> {
    return this.#hotColumns.get(table) ?? new Set();
  }

  /** SQL for `FROM`, by which a connection without this search path reads the same rows of a table as readers. */
  sourceOf(table: string): string {
    return this.#upToOrdinal.has(table) ? `${VIEWS}.${table}` : table;
  }

  /**
   * SQL for `FROM`: rows from an ordinal on. It avoids the view if no file can have such rows: each file in a view costs a fifth of a
   * millisecond.
   */
  rowsFrom(table: string, ordinal: number): string {
    return ordinal >= (this.#upToOrdinal.get(table) ?? 0) ? `${this.#catalog}.main.${table} AS ${table}` : table;
  }

  /**
   * SQL for `FROM`: rows of some ranges. It names only the files that may have such rows: planning a statement takes 1 to 5 ms for each
   * file, and 3 ms for the columns of a span that it does not read.
   * @param columns of the table, without columns of attributes
   */
  rowsWithin(table: string, ranges: readonly RowRange[], columns?: readonly string[]): string {
    const within = this.#within.get(table);
    return within === undefined ? table : `(${within(ranges, columns)}) AS ${table}`;
  }

  /** Waits until all requested views are defined. */
  async settled(): Promise<void> {
    await this.#inTurn(() => {});
  }

  close(): void {
    this.#connection.closeSync();
  }
}
