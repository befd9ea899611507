import type { SqlValue } from "./duckdb-reader.ts";

/** Conditions of a WHERE, all of which must hold, with the values bound to them. */
export class SqlConditions {
  readonly values: SqlValue[] = [];
  readonly #conditions: string[] = [];

  /** Gives the placeholder of the value. */
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

  /** Bounds of a column of whole numbers: from inclusive, to exclusive, null open. */
  addRange(column: string, from: number | null, to: number | null): this {
    if (from !== null) this.add(`${column} >= ${this.bind(Math.ceil(from))}`);
    if (to !== null) this.add(`${column} < ${this.bind(Math.ceil(to))}`);
    return this;
  }

  /** A copy that can grow by itself. */
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
