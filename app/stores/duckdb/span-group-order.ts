import { isQuantile, type SpanAggregate, type SpanQuantile, shareOf } from "../../domain/spans/span-aggregates.ts";
import type { SpanGroupOrder } from "../events/span-search.ts";

/** SQL of what groups are ordered by, from the columns of `cells`. */
const SIZES: Readonly<Record<Exclude<SpanAggregate, SpanQuantile>, string>> = {
  "count()": "sum(weight)",
  "failure_count()": "sum(failed)",
  "failure_rate()": "sum(failed) / sum(weight)",
  "sum(span.duration)": "sum(total_us)",
  "avg(span.duration)": "sum(total_us) / sum(weight)",
};

/** The same for groups with a number, whose smallest and largest values are known exactly. */
const ENDS: Readonly<Partial<Record<SpanAggregate, string>>> = {
  "min(span.duration)": "min(least)",
  "max(span.duration)": "max(largest)",
};

const MOST_SPANS: SpanGroupOrder = { of: "count()", isDescending: true };

/**
 * SQL of the groups that come first, with their `place` from 1 on. It reads the figures of `cells` and the histograms of `bars`. Both have
 * the columns `names`, which identify a group.
 *
 * @param value SQL of the value of a bar
 * @param hasEnds whether `cells` has the columns `least` and `largest`
 */
export function toFirstGroups(
  {
    names,
    cells,
    bars,
    value,
    hasEnds,
  }: { names: readonly string[]; cells: string; bars: string; value: string; hasEnds: boolean },
  limit: number,
  order: SpanGroupOrder = MOST_SPANS,
): string {
  // Without keys there is a single group.
  const { of, isDescending } = names.length === 0 ? MOST_SPANS : order;
  const direction = `${isDescending ? "DESC" : "ASC"} NULLS LAST`;
  const by =
    typeof of === "number"
      ? [`TRY_CAST(${names[of]} AS DOUBLE) ${direction}`, `${names[of]} ${direction}`]
      : [`size ${direction}`];
  const sorted = [...by, "weight DESC", ...names].join(", ");
  const end = typeof of !== "number" && hasEnds ? ENDS[of] : undefined;
  const sizes =
    typeof of !== "number" && isQuantile(of) && end === undefined
      ? toQuantiles(names, { bars, value }, shareOf(of))
      : `SELECT ${[...names, `${end ?? (typeof of === "number" || isQuantile(of) ? "NULL" : SIZES[of])} AS size`, "sum(weight) AS weight"].join(", ")} FROM ${cells}
         GROUP BY ${names.length === 0 ? "()" : names.join(", ")}`;
  return `SELECT ${[...names, `row_number() OVER (ORDER BY ${sorted}) AS place`].join(", ")}
    FROM (${sizes} ORDER BY ${sorted} LIMIT ${limit})`;
}

/** SQL for quantiles, like `weightedQuantile`. */
function toQuantiles(
  names: readonly string[],
  { bars, value }: { bars: string; value: string },
  share: number,
): string {
  const group = names.join(", ");
  return `SELECT ${group}, min(value) FILTER (passed >= ${share} * weight * (1 - 1e-12)) AS size, any_value(weight) AS weight FROM (
      SELECT ${group}, value, sum(bar) OVER (PARTITION BY ${group} ORDER BY bucket) AS passed, sum(bar) OVER (PARTITION BY ${group}) AS weight
      FROM (SELECT ${group}, bucket, ${value} AS value, sum(bar) AS bar FROM ${bars} GROUP BY ${group}, bucket)
    ) GROUP BY ${group}`;
}
