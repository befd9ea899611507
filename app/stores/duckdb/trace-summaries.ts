import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { TraceSummary } from "../events/span-sums.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toText } from "./event-rows.ts";
import { toTraceParts } from "./span-sum-sql.ts";
import { SqlConditions } from "./sql-conditions.ts";

/**
 * Summaries of these traces. A trace without stored spans is left out.
 * @param upTo rows below this ordinal are summed
 */
export async function readTraceSummaries(
  database: DuckdbDatabase,
  upTo: number,
  { projectIds, traceIds }: { projectIds: ScopedProjectIds; traceIds: readonly string[] },
): Promise<Map<string, TraceSummary>> {
  if (projectIds.length === 0 || traceIds.length === 0) return new Map();
  const conditions = new SqlConditions().addProjects(projectIds);
  conditions.add(`trace_id IN (${traceIds.map((id) => `${conditions.bind(id)}::UUID`).join(", ")})`);
  const rows = await database.read(
    `SELECT replace(trace_id::VARCHAR, '-', '') AS trace_id,
       min(first_us)::DOUBLE AS first_us, max(last_us)::DOUBLE AS last_us, sum(spans)::DOUBLE AS spans, sum(failed)::DOUBLE AS failed,
       min(root_us)::DOUBLE AS root_us, arg_min(root_name, root_us) AS root_name, arg_min(root_op, root_us) AS root_op,
       arg_min(project_id, root_us)::DOUBLE AS root_project,
       to_json(list_sort(list_distinct(flatten(list(coalesce(services, []))))))::VARCHAR AS services,
       to_json(list_sort(list(DISTINCT project_id)))::VARCHAR AS project_ids
     FROM (
       SELECT * EXCLUDE (chunk) FROM trace_parts WHERE chunk <= ${upTo} AND ${conditions}
       UNION ALL ${toTraceParts(`ordinal >= ${upTo} AND ${conditions}`, database.rowsFrom("spans", upTo))}
     ) AS parts GROUP BY trace_id`,
    conditions.values,
  );
  return new Map(rows.map((row) => [String(row.trace_id), toSummary(row)]));
}

function toSummary(row: SqlRow): TraceSummary {
  return {
    firstUs: Number(row.first_us),
    lastUs: Number(row.last_us),
    spans: Number(row.spans),
    failed: Number(row.failed),
    root:
      typeof row.root_us === "number"
        ? {
            name: toText(row.root_name ?? null) || null,
            op: toText(row.root_op ?? null) || null,
            projectId: Number(row.root_project),
          }
        : null,
    services: JSON.parse(String(row.services)),
    projectIds: JSON.parse(String(row.project_ids)),
  };
}
