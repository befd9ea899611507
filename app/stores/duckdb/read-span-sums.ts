import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { AttributeFilter, SpanSums } from "../events/span-sums.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { RollUp } from "./roll-up.ts";
import { toUnsummedAttributes } from "./span-sum-sql.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { readTraceSummaries } from "./trace-summaries.ts";

/** Creates the readers of span sums. They read stored sums up to an ordinal, and sum the later rows themselves. */
export function createSpanSums(database: DuckdbDatabase, rollUp: RollUp): SpanSums {
  return {
    async findTrace({ projectIds, traceId }) {
      const summaries = await readTraceSummaries(database, rollUp.upTo("spans"), { projectIds, traceIds: [traceId] });
      return summaries.get(traceId) ?? null;
    },
    async listAttributeKeys(filter, limit) {
      const rows = await listCounted({ database, rollUp }, filter, {
        column: "key",
        conditions: new SqlConditions(),
        limit,
      });
      return rows.map(({ text, count }) => ({ key: text, count }));
    },
    async listCutKeys(filter) {
      if (filter.projectIds.length === 0) return [];
      const conditions = new SqlConditions();
      const rows = await database.read(
        `SELECT key FROM (${toCountedValues(rollUp, filter, { conditions })}) WHERE ${conditions} GROUP BY key HAVING count(DISTINCT value) >= ${MAX_SUMMED_VALUES}`,
        conditions.values,
      );
      return rows.map((row) => String(row.key));
    },
    async listAttributeValues({ key, prefix, ...filter }, limit) {
      const conditions = new SqlConditions().addEqual("key", key);
      if (prefix) conditions.add(`starts_with(lower(value), lower(${conditions.bind(prefix)}))`);
      const rows = await listCounted({ database, rollUp }, filter, { column: "value", conditions, limit, key });
      return rows.map(({ text, count }) => ({ value: text, count }));
    },
  };
}

/** Rows without sums that are counted, too: with 12 attributes each, they take 5 ms of processor time. */
const MAX_UNSUMMED = 2_000;

async function listCounted(
  { database, rollUp }: { database: DuckdbDatabase; rollUp: RollUp },
  filter: AttributeFilter,
  {
    column,
    conditions,
    limit,
    key,
  }: { column: "key" | "value"; conditions: SqlConditions; limit: number; key?: string },
): Promise<Array<{ text: string; count: number }>> {
  if (filter.projectIds.length === 0) return [];
  const counted = toCountedValues(rollUp, filter, { conditions, key });
  const rows = await database.read(
    `SELECT ${column} AS text, round(sum(count)) AS count FROM (${counted}) WHERE ${conditions} GROUP BY ${column} ORDER BY count DESC, text LIMIT ${Math.trunc(limit)}`,
    conditions.values,
  );
  return rows.map((row) => ({ text: String(row.text), count: Number(row.count) }));
}

/** SQL of how often values occurred, in sums and in rows that are not summed yet. Adds the conditions of the filter to `conditions`. */
function toCountedValues(
  rollUp: RollUp,
  { projectIds, signal, from: since, to }: AttributeFilter,
  { conditions, key }: { conditions: SqlConditions; key?: string | undefined },
): string {
  conditions
    .addProjects(projectIds)
    .addEqual("signal", signal)
    .addRange("hour", Math.floor(since / HOUR_MS), Math.ceil(to / HOUR_MS));
  // Rows wait up to a minute for their sums, but people look for a new attribute right after sending it.
  const upTo = rollUp.upTo(signal);
  const from = Math.max(upTo, upTo + rollUp.countBehind(signal) - MAX_UNSUMMED);
  const columns = "project_id, signal, hour, key, value, count";
  const sums = `SELECT ${columns} FROM attribute_values WHERE chunk <= ${conditions.bind(upTo)}`;
  const unsummed =
    rollUp.countBehind(signal) > 0
      ? `UNION ALL ${toUnsummedAttributes(signal, { where: `ordinal >= ${conditions.bind(from)}`, source: rollUp.rowsBehind(signal), key })}`
      : "";
  return `${sums} ${unsummed}`;
}
