import type { TagDistribution } from "../events/error-events.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlConditions } from "./sql-conditions.ts";

type CountedValue = TagDistribution["values"][number];

/**
 * Counts the values of tags that are columns. DuckDB counts each combination of values, and the counts are added up here: a query that
 * counts several columns separately takes 14 ms just for planning.
 */
export async function countTagColumns(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  columnByKey: ReadonlyMap<string, string>,
  valuesPerKey: number,
): Promise<TagDistribution[]> {
  const columns = [...columnByKey.values()].join(", ");
  const [counts = [], firstSeenAts = [], lastSeenAts = [], ...values] = await database.readColumns(
    `SELECT count(*)::DOUBLE, min(occurred_at)::DOUBLE, max(occurred_at)::DOUBLE, ${columns} FROM events WHERE ${conditions} GROUP BY ${columns}`,
    conditions.values,
  );
  const valuesByKey = new Map(
    [...columnByKey.keys()].map((key, index) => [
      key,
      addUp(values[index] ?? [], { counts, firstSeenAts, lastSeenAts }),
    ]),
  );
  return toDistributions(valuesByKey, valuesPerKey);
}

/** Sorts the keys by their number of events, and the values of each key, too, most first. */
export function toDistributions(
  valuesByKey: ReadonlyMap<string, CountedValue[]>,
  valuesPerKey: number,
): TagDistribution[] {
  return [...valuesByKey]
    .map(([key, values]) => toDistribution(key, values, valuesPerKey))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || compareText(a.key, b.key));
}

function addUp(
  values: readonly unknown[],
  { counts, firstSeenAts, lastSeenAts }: Record<"counts" | "firstSeenAts" | "lastSeenAts", readonly unknown[]>,
): CountedValue[] {
  const sums = new Map<string, CountedValue>();
  for (const [index, value] of values.entries()) {
    if (typeof value !== "string") continue;
    const count = Number(counts[index]);
    const [firstSeenAt, lastSeenAt] = [Number(firstSeenAts[index]), Number(lastSeenAts[index])];
    const sum = sums.get(value);
    if (!sum) {
      sums.set(value, { value, count, firstSeenAt, lastSeenAt });
    } else {
      sum.count += count;
      sum.firstSeenAt = Math.min(sum.firstSeenAt, firstSeenAt);
      sum.lastSeenAt = Math.max(sum.lastSeenAt, lastSeenAt);
    }
  }
  return [...sums.values()];
}

function toDistribution(key: string, values: CountedValue[], valuesPerKey: number): TagDistribution {
  const mostFrequentFirst = values.sort(
    (a, b) => b.count - a.count || b.lastSeenAt - a.lastSeenAt || compareText(a.value, b.value),
  );
  return {
    key,
    total: values.reduce((sum, { count }) => sum + count, 0),
    distinctCount: values.length,
    values: mostFrequentFirst.slice(0, valuesPerKey),
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
