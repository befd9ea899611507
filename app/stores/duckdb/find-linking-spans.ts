import type { ScopedProjectIds } from "../../domain/scope.ts";
import { nameRequest } from "../../domain/spans/request-name.ts";
import type { LinkingSpan } from "../events/traces.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { REQUEST_URL } from "./span-sum-sql.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Rows before a span that are searched: a link names an earlier span, but spans may be sent late. */
const ROWS_BEFORE = 50_000;
const ROWS_AFTER = 200_000;
const MAX_LINKING = 20;

/** See `Traces.findLinkingSpans`. */
export async function findLinkingSpans(
  database: DuckdbDatabase,
  projectIds: ScopedProjectIds,
  { spanId, ordinal }: { spanId: string; ordinal: number },
): Promise<LinkingSpan[]> {
  if (projectIds.length === 0) return [];
  const conditions = new SqlConditions()
    .addOneOf("project_id", projectIds)
    .addRange("ordinal", ordinal - ROWS_BEFORE, ordinal + ROWS_AFTER);
  const id = conditions.bind(spanId);
  // Cheapest first: most rows have no rest, and nearly no rest has links.
  conditions.add("rest IS NOT NULL").add(`contains(rest, '"links"')`).add(`contains(rest, ${id})`);
  const rows = await database.read(
    `SELECT replace(trace_id::VARCHAR, '-', '') AS trace, format('{:016x}', span_id) AS span, op, name, ${REQUEST_URL} AS url, rest
     FROM spans WHERE ${conditions} ORDER BY started_us, ordinal LIMIT ${MAX_LINKING}`,
    conditions.values,
  );
  return rows
    .filter(({ rest }) => linksTo(String(rest), spanId))
    .map((row) => {
      const [op, name, url] = [row.op, row.name, row.url] as [string | null, string | null, string | null];
      return { traceId: String(row.trace), spanId: String(row.span), op, name: nameRequest(name, { op, url }) };
    });
}

function linksTo(rest: string, spanId: string): boolean {
  const { links }: { links?: unknown } = JSON.parse(rest);
  return Array.isArray(links) && links.some((link) => link?.span_id === spanId);
}
