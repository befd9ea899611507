import type { DuckDBConnection } from "@duckdb/node-api";
import type { PartTable } from "../events/row-keys.ts";
import { quoteSql } from "./day-file.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";

/**
 * Deleted rows that are still in day files. Views hide them at once. The files are rewritten later, once for all waiting deletions. The
 * state store notes deletions, too, so that they can be hidden again after the database was lost.
 */
export class HiddenRows {
  readonly #database: DuckdbDatabase;
  #hasRows: boolean;
  #projectIds: number[];

  private constructor(database: DuckdbDatabase, hasRows: boolean, projectIds: number[]) {
    this.#database = database;
    this.#hasRows = hasRows;
    this.#projectIds = projectIds;
  }

  static async open(database: DuckdbDatabase): Promise<HiddenRows> {
    const some = await database.read("SELECT 1 AS one FROM hidden_rows LIMIT 1");
    const projects = await database.read("SELECT DISTINCT project_id::DOUBLE AS project_id FROM hidden_projects");
    return new HiddenRows(
      database,
      some.length > 0,
      projects.map(({ project_id }) => Number(project_id)),
    );
  }

  get isEmpty(): boolean {
    return !this.#hasRows && this.#projectIds.length === 0;
  }

  hasProject(projectId: number): boolean {
    return this.#projectIds.includes(projectId);
  }

  /** SQL after `FROM … AS moved` that leaves out hidden rows. */
  conditionOf(table: PartTable): string {
    const rows = this.#hasRows
      ? `ANTI JOIN (SELECT ordinal FROM culprit.main.hidden_rows WHERE table_name = '${table}') AS hidden USING (ordinal)`
      : "";
    return `${rows}${withoutProjects(this.#projectIds)}`;
  }

  /** From now on, the condition leaves out the rows in `hidden_rows`. */
  expectSome(): void {
    this.#hasRows = true;
  }

  /**
   * Hides the rows of files that fit a condition.
   * @param source SQL of the rows
   */
  async add(
    connection: DuckDBConnection,
    table: PartTable,
    source: string,
    { condition, values }: { condition: string; values: string[] },
  ): Promise<void> {
    await connection.run(
      `INSERT INTO hidden_rows SELECT '${table}', ordinal FROM ${source} AS ${table} WHERE ${condition}`,
      values,
    );
  }

  async addProject(connection: DuckDBConnection, projectId: number): Promise<void> {
    await connection.run("INSERT INTO hidden_projects (project_id) VALUES ($1)", [projectId]);
    this.#projectIds = [...new Set([...this.#projectIds, projectId])];
  }

  /** Whether the file has hidden rows. */
  async isIn(table: PartTable, path: string): Promise<boolean> {
    const rows = await this.#database.inBackground((connection) =>
      readRows(
        connection,
        `SELECT 1 AS one FROM read_parquet(${quoteSql(path)}) AS moved
         WHERE ordinal IN (SELECT ordinal FROM hidden_rows WHERE table_name = '${table}')
            OR project_id IN (SELECT project_id FROM hidden_projects) LIMIT 1`,
        [],
      ),
    );
    return rows.length > 0;
  }

  /**
   * Forgets the hidden rows that the file `from` has and its rewrite `to` does not have. Hidden projects are kept: no other project gets
   * their ids.
   */
  async forget(connection: DuckDBConnection, table: PartTable, from: string, to: string | null): Promise<void> {
    const isLeft = to === null ? "" : `AND ordinal NOT IN (SELECT ordinal FROM read_parquet(${quoteSql(to)}))`;
    await connection.run(
      `DELETE FROM hidden_rows WHERE table_name = '${table}' AND ordinal IN (SELECT ordinal FROM read_parquet(${quoteSql(from)})) ${isLeft}`,
    );
    const left = await readRows(connection, "SELECT 1 AS one FROM hidden_rows LIMIT 1", []);
    this.#hasRows = left.length > 0;
  }
}

function withoutProjects(projectIds: readonly number[]): string {
  return projectIds.length === 0 ? "" : ` WHERE moved.project_id NOT IN (${projectIds.join(", ")})`;
}
