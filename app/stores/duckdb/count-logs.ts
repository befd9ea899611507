import { MAX_NUMBERS, type NumberSum } from "../../domain/number-sum.ts";
import type { CountedLogs, LogCountOptions, LogFilter, LogKey } from "../events/logs.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toText } from "./event-rows.ts";
import { toLogConditions, toLogKeySql } from "./log-conditions.ts";
import { type LogPiece, toLogPieces } from "./log-pieces.ts";
import type { HotColumns } from "./span-dialect.ts";
import { MAX_NUMBER, toNumberBucketSql } from "./span-sum-sql.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** The number of groups that are kept of one piece of time, the most frequent ones: senders choose how many there are. */
const GROUPS_OF_PIECE = 1_000;
const GROUPS_WITH_NUMBERS = 100;
/** While the pieces are added up, this many times the groups of one piece are held. */
const HELD_PIECES = 10;
/** The number of buckets that are kept of one piece, the fullest ones. Numbers of usual sizes have a few hundred for each group. */
const BUCKETS_OF_PIECE = 50_000;

interface HeldGroup {
  count: number;
  /** For each wanted number, its buckets by their index. */
  numbers: Array<Map<number, Bucket>>;
}

/** Numbers within 6 % of each other. */
interface Bucket {
  count: number;
  total: number;
  least: number;
  largest: number;
}

export async function countLogs(
  database: DuckdbDatabase,
  filter: LogFilter,
  { by, numbers = [], limit, budgetMs }: LogCountOptions,
): Promise<CountedLogs> {
  if (numbers.length > MAX_NUMBERS) throw new RangeError(`numbers of ${numbers.length} attributes`);
  let countedFrom = filter.to;
  let held = new Map<string, HeldGroup>();
  if (filter.projectIds.length === 0) return { groups: [], countedFrom };
  const most = numbers.length > 0 ? GROUPS_WITH_NUMBERS : GROUPS_OF_PIECE;
  const range = { fromUs: Math.ceil(filter.from * 1000), toUs: Math.ceil(filter.to * 1000) };
  for (const piece of toLogPieces(range, { budgetMs })) {
    const groups = await countPiece(database, filter, piece, { by, most });
    for (const { group, count } of groups) {
      const known = held.get(group);
      if (known) known.count += count;
      else held.set(group, { count, numbers: numbers.map(() => new Map()) });
    }
    for (const [index, number] of numbers.entries()) {
      if (groups.length === 0) continue;
      const asked = { by, number, groups: groups.map(({ group }) => group) };
      for (const { group, bucket, ...found } of await sumPiece(database, filter, piece, asked)) {
        const buckets = held.get(group)?.numbers[index];
        const known = buckets?.get(bucket);
        buckets?.set(bucket, known ? addBuckets(known, found) : found);
      }
    }
    if (held.size > most * HELD_PIECES) held = new Map(byCount(held).slice(0, most * HELD_PIECES));
    countedFrom = piece.fromUs / 1000;
  }
  const groups = byCount(held)
    .slice(0, limit)
    .map(([group, { count, numbers }]) => ({
      group: JSON.parse(group) as Array<string | null>,
      count,
      numbers: numbers.map(toNumberSum),
    }));
  return { groups, countedFrom };
}

/** The most frequent groups of a piece, each as the JSON of its values. */
async function countPiece(
  database: DuckdbDatabase,
  filter: LogFilter,
  piece: LogPiece,
  { by, most }: { by: readonly LogKey[]; most: number },
): Promise<Array<{ group: string; count: number }>> {
  const { conditions, names, keys } = toGrouping(filter, piece, by, database.hotColumnsOf("logs"));
  const rows = await database.read(
    `SELECT ${keys}count(*)::DOUBLE AS lines FROM logs WHERE ${conditions}${names.length > 0 ? ` GROUP BY ${names.join(", ")}` : ""}
     ORDER BY ${["lines DESC", ...names].join(", ")} LIMIT ${most}`,
    conditions.values,
  );
  return rows.flatMap((row) => (row.lines === 0 ? [] : { group: toGroup(row, names), count: Number(row.lines) }));
}

/** Histograms of the numbers that an attribute has in these groups. */
async function sumPiece(
  database: DuckdbDatabase,
  filter: LogFilter,
  piece: LogPiece,
  { by, number, groups }: { by: readonly LogKey[]; number: LogKey; groups: readonly string[] },
): Promise<Array<Bucket & { group: string; bucket: number }>> {
  const hot = database.hotColumnsOf("logs");
  const { conditions, names, keys } = toGrouping(filter, piece, by, hot);
  const value = toLogKeySql(number, conditions, hot);
  const found = `SELECT ${keys}TRY_CAST(${value} AS DOUBLE) AS number_value FROM logs WHERE ${conditions}`;
  const isAsked = names.map((name) => `found.${name} IS NOT DISTINCT FROM asked.${name}`).join(" AND ");
  const asked =
    names.length === 0
      ? ""
      : ` JOIN (SELECT unnest(from_json(${conditions.bind(toJsonRows(groups, names))}, '[{${names.map((name) => `"${name}":"VARCHAR"`).join()}}]'), recursive := true)) AS asked ON ${isAsked}`;
  const rows = await database.read(
    `SELECT ${names.map((name) => `found.${name}, `).join("")}${toNumberBucketSql("number_value")} AS bucket, count(*)::DOUBLE AS lines,
       sum(number_value) AS total, min(number_value) AS least, max(number_value) AS largest
     FROM (${found}) AS found${asked} WHERE abs(number_value) <= ${MAX_NUMBER} GROUP BY ALL ORDER BY lines DESC LIMIT ${BUCKETS_OF_PIECE}`,
    conditions.values,
  );
  return rows.map((row) => ({
    group: toGroup(row, names),
    bucket: Number(row.bucket),
    count: Number(row.lines),
    total: Number(row.total),
    least: Number(row.least),
    largest: Number(row.largest),
  }));
}

/** The conditions of a piece, the names of its groups' columns, and the SQL that selects these, each with a comma behind it. */
function toGrouping(
  filter: LogFilter,
  { fromUs, toUs }: LogPiece,
  by: readonly LogKey[],
  hot: HotColumns,
): { conditions: SqlConditions; names: string[]; keys: string } {
  const conditions = toLogConditions(filter, hot).addRange("occurred_us", fromUs, toUs);
  const names = by.map((_, index) => `g${index}`);
  const keys = by.map((key, index) => `${toLogKeySql(key, conditions, hot)} AS ${names[index]}, `).join("");
  return { conditions, names, keys };
}

function toGroup(row: SqlRow, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => toText(row[name] ?? null) ?? null));
}

function toJsonRows(groups: readonly string[], names: readonly string[]): string {
  const toRow = (group: string) => {
    const values = JSON.parse(group) as Array<string | null>;
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  };
  return JSON.stringify(groups.map(toRow));
}

function addBuckets(one: Bucket, other: Bucket): Bucket {
  return {
    count: one.count + other.count,
    total: one.total + other.total,
    least: Math.min(one.least, other.least),
    largest: Math.max(one.largest, other.largest),
  };
}

function toNumberSum(buckets: HeldGroup["numbers"][number]): NumberSum | undefined {
  if (buckets.size === 0) return undefined;
  const all = [...buckets.values()];
  const { count, total, least, largest } = all.reduce(addBuckets);
  return {
    weight: count,
    total,
    min: least,
    max: largest,
    values: all.map((bucket) => [bucket.total / bucket.count, bucket.count]),
  };
}

function byCount(held: ReadonlyMap<string, HeldGroup>): Array<[group: string, held: HeldGroup]> {
  return [...held].sort(([one, a], [other, b]) => b.count - a.count || (one < other ? -1 : 1));
}
