import type { ConditionDialect } from "../sql/condition-sql.ts";
import { toLikeSql } from "./like-sql.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** Columns, or expressions, by the names of fields in searches. */
export type FieldColumns = Readonly<Record<string, string>>;

/** The part of a dialect that is the same for rows of all tables. Values are bound to the conditions. */
export function createRowDialect(
  conditions: SqlConditions,
  table: string,
  columns: FieldColumns,
): Pick<ConditionDialect, "bind" | "bindList" | "fold" | "like" | "field"> {
  const bind = (value: string | number) => conditions.bind(value);
  return {
    bind,
    bindList: (values) => conditions.bindTexts(values),
    fold: (sql) => `lower(${sql})`,
    like: (sql, parts) => toLikeSql(sql, parts, bind),
    field: (name) => toFieldSql(table, columns, name),
  };
}

/** SQL of the service. Rows that name none have that of their project. */
export function toServiceSql(unnamed: ReadonlyMap<number, string>, conditions: SqlConditions): string {
  const names = [...unnamed].map(([id, name]) => `WHEN ${conditions.bind(id)} THEN ${conditions.bind(name)}`);
  return names.length === 0 ? "service" : `coalesce(nullif(service, ''), CASE project_id ${names.join(" ")} END)`;
}

/** @throws {RangeError} for a field that rows of the table do not have */
export function toFieldSql(table: string, columns: FieldColumns, name: string): string {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column === undefined) throw new RangeError(`${table} have no field ${name}`);
  return column;
}
