import type { LogFilter, LogSummary } from "../events/logs.ts";
import { toLogConditions } from "./log-conditions.ts";
import { toLogPieces } from "./log-pieces.ts";
import { FACET_NAMES } from "./log-sum-sql.ts";
import { LogTally, linesByBucketAndFacet } from "./log-tally.ts";
import { type LogSumParts, tallyFromSums } from "./read-log-sums.ts";

export async function summarizeLogs(
  parts: LogSumParts,
  filter: LogFilter,
  { bucketMs, budgetMs }: { bucketMs: number; budgetMs: number },
): Promise<LogSummary> {
  const tally = new LogTally();
  if (filter.projectIds.length === 0) return { ...tally.summarize(), countedFrom: filter.to };
  if (await tallyFromSums(parts, filter, { bucketMs, tally }))
    return { ...tally.summarize(), countedFrom: filter.from };
  let countedFrom = filter.to;
  const range = { fromUs: Math.ceil(filter.from * 1000), toUs: Math.ceil(filter.to * 1000) };
  for (const { fromUs, toUs } of toLogPieces(range, { budgetMs })) {
    const conditions = toLogConditions(filter, parts.database.hotColumnsOf("logs")).addRange(
      "occurred_us",
      fromUs,
      toUs,
    );
    const lines = `SELECT occurred_us, severity, ${FACET_NAMES}, 1 AS lines FROM logs WHERE ${conditions}`;
    const rows = await parts.database.read(
      linesByBucketAndFacet(lines, Math.trunc(bucketMs * 1000)),
      conditions.values,
    );
    for (const row of rows) tally.add(row, bucketMs);
    countedFrom = fromUs / 1000;
  }
  return { ...tally.summarize(), countedFrom };
}
