import { toEndHour, toHour } from "../../../domain/time.ts";
import type { SqlParams } from "../../sql/query.ts";

export interface EventCountRange {
  /** Milliseconds since 1970; `from` is inclusive, `to` is exclusive, null is no bound. */
  from: number | null;
  to: number | null;
  environmentIds: number[] | null;
}

/**
 * SQL of the number of the events in the range, for `FROM issues AS i`. Hours that are partly in the range count as a whole. Whole
 * days come from `issue_days`, so that an issue costs some fifty rows for any range.
 */
export function toEventCountSql(range: EventCountRange): { sql: string; params: SqlParams } {
  const { from, to, environmentIds } = range;
  if (from === null && to === null && environmentIds === null) return { sql: "i.event_count", params: {} };

  const params: Record<string, number | string> = {};
  let inEnvironment = "";
  if (environmentIds !== null) {
    inEnvironment = "AND environment_id IN (SELECT value FROM json_each(:countEnvironmentIds))";
    params.countEnvironmentIds = JSON.stringify(environmentIds);
  }
  const sumOf = (table: string, condition: string) =>
    `coalesce((SELECT sum(event_count) FROM ${table} WHERE issue_id = i.id ${condition} ${inEnvironment}), 0)`;

  const fromHour = from === null ? null : toHour(from);
  const endHour = to === null ? null : toEndHour(to);
  const fromDay = fromHour === null ? null : Math.ceil(fromHour / 24);
  const endDay = endHour === null ? null : Math.floor(endHour / 24);

  if (fromHour !== null && endHour !== null && fromDay !== null && endDay !== null && fromDay >= endDay) {
    params.countFromHour = fromHour;
    params.countEndHour = endHour;
    return { sql: sumOf("issue_hours", "AND hour >= :countFromHour AND hour < :countEndHour"), params };
  }

  const sums: string[] = [];
  let dayCondition = "";
  if (fromHour !== null && fromDay !== null) {
    params.countFromDay = fromDay;
    dayCondition += " AND day >= :countFromDay";
    if (fromHour < fromDay * 24) {
      params.countFromHour = fromHour;
      sums.push(sumOf("issue_hours", "AND hour >= :countFromHour AND hour < :countFromDay * 24"));
    }
  }
  if (endHour !== null && endDay !== null) {
    params.countEndDay = endDay;
    dayCondition += " AND day < :countEndDay";
    if (endHour > endDay * 24) {
      params.countEndHour = endHour;
      sums.push(sumOf("issue_hours", "AND hour >= :countEndDay * 24 AND hour < :countEndHour"));
    }
  }
  sums.push(sumOf("issue_days", dayCondition));
  return { sql: `(${sums.join(" + ")})`, params };
}
