import type { SqlValue } from "./duckdb-reader.ts";

/** A statement with 1,000 placeholders takes DuckDB 6 ms of processor time to plan. With one text it takes less than 2. */
const MAX_PLACEHOLDERS = 20;

/** The conditions of a WHERE clause, which must all hold, and their bound values. */
export class SqlConditions {
  readonly values: SqlValue[] = [];
  readonly #conditions: string[] = [];

  /** Binds the value, and returns its placeholder. */
  bind(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  add(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  addEqual(column: string, value: SqlValue): this {
    return this.add(`${column} = ${this.bind(value)}`);
  }

  addOneOf(column: string, values: readonly SqlValue[]): this {
    return this.add(`${column} IN (${values.map((value) => this.bind(value)).join(", ")})`);
  }

  /** Like `addOneOf` of the column `project_id`, for the thousands of projects that a person may see. */
  addProjects(projectIds: readonly number[]): this {
    return this.add(this.bindProjects(projectIds));
  }

  /** The same condition as SQL, to be used in several places. */
  bindProjects(projectIds: readonly number[]): string {
    if (projectIds.length > MAX_PLACEHOLDERS) return `project_id IN ${this.bindNumbers(projectIds)}`;
    return `project_id IN (${projectIds.map((id) => this.bind(id)).join(", ")})`;
  }

  /** SQL to write after `IN` for whole numbers. They are one parameter. */
  bindNumbers(numbers: readonly number[]): string {
    if (numbers.length === 0) return "(NULL)";
    return `(SELECT unnest(string_split(${this.bind(numbers.join(","))}, ','))::BIGINT)`;
  }

  /** SQL to write after `IN` for texts, at least one. Many texts become one parameter. */
  bindTexts(texts: readonly string[]): string {
    if (texts.length <= MAX_PLACEHOLDERS || texts.some((text) => text.includes("\n")))
      return `(${texts.map((text) => this.bind(text)).join(", ")})`;
    return `(SELECT unnest(string_split(${this.bind(texts.join("\n"))}, chr(10))))`;
  }

  /** Adds bounds of a column of whole numbers: `from` is inclusive, `to` is exclusive, null is no bound. */
  addRange(column: string, from: number | null, to: number | null): this {
    if (from !== null) this.add(`${column} >= ${this.bind(Math.ceil(from))}`);
    if (to !== null) this.add(`${column} < ${this.bind(Math.ceil(to))}`);
    return this;
  }

  /** Like `addRange`; a row must be in one of the ranges. */
  addRanges(column: string, ranges: ReadonlyArray<{ from: number; to: number | null }>): this {
    const each = ranges.map(({ from, to }) => {
      const end = to === null ? "" : ` AND ${column} < ${this.bind(to)}`;
      return `(${column} >= ${this.bind(from)}${end})`;
    });
    return this.add(each.length === 0 ? "FALSE" : `(${each.join(" OR ")})`);
  }

  /** A copy that can be extended independently. */
  clone(): SqlConditions {
    const copy = new SqlConditions();
    copy.values.push(...this.values);
    copy.#conditions.push(...this.#conditions);
    return copy;
  }

  toString(): string {
    return this.#conditions.length === 0 ? "true" : this.#conditions.join(" AND ");
  }
}
