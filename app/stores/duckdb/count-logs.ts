import type { CountedLogs, LogFilter, LogKey } from "../events/logs.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toText } from "./event-rows.ts";
import { toLogConditions, toLogKeySql } from "./log-conditions.ts";
import { toLogPieces } from "./log-pieces.ts";

/** Groups of one piece of time, the most frequent: senders choose how many there are. */
const GROUPS_OF_PIECE = 1_000;
/** Groups that are held while pieces are added up. */
const MAX_HELD = 10_000;

export async function countLogs(
  database: DuckdbDatabase,
  filter: LogFilter,
  { by, limit, budgetMs }: { by: readonly LogKey[]; limit: number; budgetMs: number },
): Promise<CountedLogs> {
  let countedFrom = filter.to;
  let counts = new Map<string, number>();
  if (filter.projectIds.length === 0) return { groups: [], countedFrom };
  const names = by.map((_, index) => `g${index}`);
  const hot = database.hotColumnsOf("logs");
  const range = { fromUs: Math.ceil(filter.from * 1000), toUs: Math.ceil(filter.to * 1000) };
  for (const { fromUs, toUs } of toLogPieces(range, { budgetMs })) {
    const conditions = toLogConditions(filter, hot).addRange("occurred_us", fromUs, toUs);
    const keys = by.map((key, index) => `${toLogKeySql(key, conditions, hot)} AS g${index}, `).join("");
    const rows = await database.read(
      `SELECT ${keys}count(*)::DOUBLE AS lines FROM logs WHERE ${conditions}${names.length > 0 ? ` GROUP BY ${names.join(", ")}` : ""}
       ORDER BY ${["lines DESC", ...names].join(", ")} LIMIT ${GROUPS_OF_PIECE}`,
      conditions.values,
    );
    for (const row of rows) {
      if (row.lines === 0) continue;
      const group = JSON.stringify(names.map((name) => toText(row[name] ?? null) ?? null));
      counts.set(group, (counts.get(group) ?? 0) + Number(row.lines));
    }
    if (counts.size > MAX_HELD) counts = new Map(byCount(counts).slice(0, MAX_HELD));
    countedFrom = fromUs / 1000;
  }
  const groups = byCount(counts)
    .slice(0, limit)
    .map(([group, count]) => ({ group: JSON.parse(group) as Array<string | null>, count }));
  return { groups, countedFrom };
}

function byCount(counts: ReadonlyMap<string, number>): Array<[group: string, count: number]> {
  return [...counts].sort(([one, count], [other, others]) => others - count || (one < other ? -1 : 1));
}
