import type { SpanSearchFilter } from "../events/span-search.ts";
import { toConditionSql } from "../sql/condition-sql.ts";
import { createSpanDialect, type HotColumns } from "./span-dialect.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Conditions for rows of `spans` that match, from this ordinal on. */
export function toSpanConditions(
  filter: SpanSearchFilter,
  firstOrdinal: number | null,
  hot: HotColumns,
): SqlConditions {
  const conditions = new SqlConditions()
    .addProjects(filter.projectIds)
    .addRange("started_us", filter.from * 1000, filter.to * 1000)
    .addRange("ordinal", firstOrdinal, filter.beforeOrdinal ?? null);
  return conditions.add(toConditionSql(filter.where, createSpanDialect(conditions, hot)));
}
