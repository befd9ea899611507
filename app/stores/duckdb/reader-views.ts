import type { DuckDBConnection } from "@duckdb/node-api";

/** A schema in memory. */
const VIEWS = "memory.views";

/** The range of the wanted rows. An absent bound: no limit on that side. */
export interface RowRange {
  /** Microseconds since 1970; the end is not in it. */
  fromUs?: number;
  toUs?: number;
  /** Both are in it. */
  firstOrdinal?: number;
  lastOrdinal?: number;
  /** The category, for spans. */
  category?: string;
}

export interface ViewDefinition {
  /** The rows that the view adds to those of the table have lower ordinals. */
  upToOrdinal?: number;
  /** Columns that it has beside those of the table; none of them may be missing later. */
  hot?: readonly string[];
  /** A query for the rows of these ranges at least, which reads less than the view does; with these columns, or with all. */
  within?: RowsWithin;
}

type RowsWithin = (ranges: readonly RowRange[], columns?: readonly string[]) => string;

/** Views that readers see in the place of tables of the same name: see moved-days.ts. */
export class ReaderViews {
  /** Defines them, which takes a moment. */
  readonly #connection: DuckDBConnection;
  /** The catalog of the tables. */
  readonly #catalog: string;
  #last: Promise<unknown> = Promise.resolve();
  /** By table: the ordinal below which some rows are outside of the table. */
  readonly #upToOrdinal = new Map<string, number>();
  readonly #hotColumns = new Map<string, Set<string>>();
  readonly #within = new Map<string, RowsWithin>();
  #version = 0;

  private constructor(connection: DuckDBConnection, catalog: string) {
    this.#connection = connection;
    this.#catalog = catalog;
  }

  /** @param connection for nothing else */
  static async open(connection: DuckDBConnection, catalog: string): Promise<ReaderViews> {
    await connection.run(`CREATE SCHEMA ${VIEWS}`);
    return new ReaderViews(connection, catalog);
  }

  /** Grows with each change. */
  get version(): number {
    return this.#version;
  }

  /** Views first, then tables: for readers, once the tables are attached. */
  get searchPath(): string {
    return `${VIEWS},${this.#catalog}.main`;
  }

  /** See `DuckdbDatabase.defineView`. */
  define(table: string, sql: string | null, { upToOrdinal = 0, hot = [], within }: ViewDefinition): Promise<void> {
    const result = this.#last.then(async () => {
      if (sql === null) await this.#connection.run(`DROP VIEW IF EXISTS ${VIEWS}.${table}`);
      else await this.#connection.run(`CREATE OR REPLACE VIEW ${VIEWS}.${table} AS ${sql}`);
      if (sql === null) this.#upToOrdinal.delete(table);
      else this.#upToOrdinal.set(table, upToOrdinal);
      if (sql === null || within === undefined) this.#within.delete(table);
      else this.#within.set(table, within);
      this.#hotColumns.set(table, new Set([...this.hotColumnsOf(table), ...hot]));
      this.#version++;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  hotColumnsOf(table: string): ReadonlySet<string> {
    return this.#hotColumns.get(table) ?? new Set();
  }

  /** The source from which a connection without these views sees the same rows of a table as readers. */
  sourceOf(table: string): string {
    return this.#upToOrdinal.has(table) ? `${VIEWS}.${table}` : table;
  }

  /** The source of rows from an ordinal on. A file in which nothing is wanted still costs a view a fifth of a millisecond. */
  rowsFrom(table: string, ordinal: number): string {
    return ordinal >= (this.#upToOrdinal.get(table) ?? 0) ? `${this.#catalog}.main.${table} AS ${table}` : table;
  }

  /**
   * The source of rows in some ranges. Planning a statement takes 1 to 5 ms for each file that it names, even if none of its rows are
   * wanted, and 3 ms for the columns of a span that it does not read.
   * @param columns of the table; not those of attributes
   */
  rowsWithin(table: string, ranges: readonly RowRange[], columns?: readonly string[]): string {
    const within = this.#within.get(table);
    return within === undefined ? table : `(${within(ranges, columns)}) AS ${table}`;
  }

  /** Waits until all requested views are defined. */
  async settled(): Promise<void> {
    await this.#last;
  }

  close(): void {
    this.#connection.closeSync();
  }
}
