import {
  MAX_SESSION_GROUPS,
  type SessionCounts,
  type SessionFilter,
  type SessionGroup,
  type SessionTally,
} from "../events/sessions.ts";
import { type ConditionDialect, toConditionSql } from "../sql/condition-sql.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toText } from "./event-rows.ts";
import { createRowDialect, type FieldColumns } from "./row-dialect.ts";
import { SqlConditions } from "./sql-conditions.ts";

const GROUP_COLUMNS: Readonly<Record<SessionGroup, string>> = {
  project: "project_id",
  release: "release",
  environment: "environment",
};

/** The SQL condition on the rows for each count. It is the same for sessions and users. */
const TALLIES: Readonly<Record<keyof SessionTally, string>> = {
  total: "is_initial",
  errored: "is_errored",
  crashed: "status = 'crashed'",
  abnormal: "status = 'abnormal'",
  unhandled: "status = 'unhandled'",
};

export async function countSessions(
  database: DuckdbDatabase,
  filter: SessionFilter,
  { groupBy, bucketMs }: { groupBy: readonly SessionGroup[]; bucketMs: number | null },
): Promise<SessionCounts[]> {
  if (filter.projectIds.length === 0) return [];
  const conditions = new SqlConditions().addProjects(filter.projectIds).addRange("started_at", filter.from, filter.to);
  if (filter.releases) conditions.addOneOf("release", filter.releases);
  if (filter.environments) conditions.addOneOf("coalesce(environment, '')", filter.environments);
  if (filter.where) conditions.add(toConditionSql(filter.where, createSessionDialect(conditions)));
  const columns = groupBy.map((group) => GROUP_COLUMNS[group]);
  const group = columns.length === 0 ? "()" : `(${columns.join(", ")})`;
  const bucket =
    bucketMs === null
      ? "NULL"
      : `((started_at - ${Math.ceil(filter.from)}) // ${bucketMs} * ${bucketMs} + ${Math.ceil(filter.from)})::DOUBLE`;
  const rows = await database.read(
    `WITH matching AS (SELECT * FROM sessions WHERE ${conditions}),
     ranked AS (
       SELECT ${[...columns, "coalesce(sum(quantity) FILTER (is_initial), 0) AS size"].join(", ")}
       FROM matching GROUP BY ${group} ORDER BY ${["size DESC", ...columns].join(", ")} LIMIT ${MAX_SESSION_GROUPS}
     )
     SELECT ${columns.map((column) => `${toSelection(column)}, `).join("")}${bucket} AS bucket_at,
            ${Object.entries(TALLIES)
              .flatMap(([name, rowsOf]) => [countSessionsOf(name, rowsOf), countUsersOf(name, rowsOf)])
              .join(", ")}
     FROM matching JOIN ranked ON ${["true", ...columns.map((column) => `matching.${column} IS NOT DISTINCT FROM ranked.${column}`)].join(" AND ")}
     GROUP BY ${[...columns.map((column) => `matching.${column}`), "bucket_at", "size"].join(", ")}
     ORDER BY ${["size DESC", ...columns.map((column) => `matching.${column}`), "bucket_at"].join(", ")}`,
    conditions.values,
  );
  return rows.map(toCounts);
}

/** Columns of `sessions` by the names of fields in searches. */
const FIELDS: FieldColumns = { release: "release", environment: "environment" };

function createSessionDialect(conditions: SqlConditions): ConditionDialect {
  return {
    ...createRowDialect(conditions, "sessions", FIELDS),
    fieldTest: () => null,
    tag(key) {
      throw new RangeError(`sessions have no tag ${key}`);
    },
  };
}

function toSelection(column: string): string {
  return column === "project_id" ? "matching.project_id::DOUBLE AS project_id" : `matching.${column} AS ${column}`;
}

/** Counts sessions. A session counts once, however many of its updates match; sessions that were counted together count by their number. */
function countSessionsOf(name: string, condition: string): string {
  return `(count(DISTINCT session_id) FILTER (${condition})
    + coalesce(sum(quantity) FILTER (session_id IS NULL AND ${condition}), 0))::DOUBLE AS sessions_${name}`;
}

/** A user counts by any update of a session, whether or not its first update came. */
function countUsersOf(name: string, condition: string): string {
  const rowsOf = name === "total" ? "true" : condition;
  return `(count(DISTINCT user_id) FILTER (${rowsOf}))::DOUBLE AS users_${name}`;
}

function toCounts(row: SqlRow): SessionCounts {
  const tally = (of: string): SessionTally => ({
    total: Number(row[`${of}_total`]),
    errored: Number(row[`${of}_errored`]),
    crashed: Number(row[`${of}_crashed`]),
    abnormal: Number(row[`${of}_abnormal`]),
    unhandled: Number(row[`${of}_unhandled`]),
  });
  return {
    projectId: typeof row.project_id === "number" ? row.project_id : null,
    release: toText(row.release),
    environment: toText(row.environment),
    at: typeof row.bucket_at === "number" ? row.bucket_at : null,
    sessions: tally("sessions"),
    users: tally("users"),
  };
}
