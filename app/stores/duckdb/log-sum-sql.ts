import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { LOG_FACETS, type LogFacet } from "../events/logs.ts";

// How log lines are summed: by minute, severity and environment for charts over time, and by hour with every facet for lists of values.

export type LogSumUnit = "minute" | "hour";

/** Microseconds. */
export const UNIT_US: Readonly<Record<LogSumUnit, number>> = { minute: MINUTE_MS * 1000, hour: HOUR_MS * 1000 };

export const FACET_COLUMNS: Readonly<Record<LogFacet, string>> = {
  service: "service",
  logger: "logger",
  release: "release",
  environment: "environment",
  serverAddress: "server_address",
};
export const FACET_NAMES = LOG_FACETS.map((facet) => FACET_COLUMNS[facet]).join(", ");

/** Fields of a search that the sums have, in columns with the same names as in the rows. */
const SUMMED_FIELDS: Readonly<Record<LogSumUnit, ReadonlySet<string>>> = {
  minute: new Set(["projectId", "severity", "severityNumber", "environment"]),
  hour: new Set(["projectId", "severity", "severityNumber", ...LOG_FACETS]),
};

export function isSummedBy(unit: LogSumUnit, field: string): boolean {
  return SUMMED_FIELDS[unit].has(field);
}

export function toLogSums(where: string): string {
  const keys = (unit: LogSumUnit) => `'${unit}' AS kind, project_id, 'log_item' AS category,
    received_at // ${DAY_MS} AS received_day, occurred_us // ${UNIT_US[unit]} * ${UNIT_US[unit] / UNIT_US.minute} AS slot, severity`;
  return `
    SELECT ${keys("minute")}, environment, count(*) AS lines FROM logs WHERE ${where} GROUP BY ALL
    UNION ALL BY NAME
    SELECT ${keys("hour")}, ${FACET_NAMES}, count(*) AS lines FROM logs WHERE ${where} GROUP BY ALL`;
}
